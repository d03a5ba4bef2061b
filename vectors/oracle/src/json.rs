//! Just enough JSON to write the vector files, always the same way.

use std::fmt::Display;

pub enum Json {
    Raw(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

/// Text. The vectors' texts hold nothing that JSON would have to escape.
pub fn text(s: impl Display) -> Json {
    let s = s.to_string();
    assert!(!s.contains(['"', '\\']) && !s.contains(char::is_control));
    Json::Raw(format!("\"{s}\""))
}

/// A number that any JSON reader holds exactly. Bigger ones are `text`.
pub fn count(n: usize) -> Json {
    assert!(n < 1 << 31);
    Json::Raw(n.to_string())
}

pub fn flag(b: bool) -> Json {
    Json::Raw(b.to_string())
}

pub fn texts<T: Display>(items: impl IntoIterator<Item = T>) -> Json {
    Json::List(items.into_iter().map(text).collect())
}

pub fn counts(items: impl IntoIterator<Item = usize>) -> Json {
    Json::List(items.into_iter().map(count).collect())
}

const WIDTH: usize = 120;

impl Json {
    fn on_one_line(&self) -> String {
        match self {
            Json::Raw(s) => s.clone(),
            Json::List(items) => {
                let items: Vec<_> = items.iter().map(Json::on_one_line).collect();
                format!("[{}]", items.join(", "))
            }
            Json::Object(fields) => {
                let fields: Vec<_> = fields
                    .iter()
                    .map(|(name, value)| format!("\"{name}\": {}", value.on_one_line()))
                    .collect();
                format!("{{{}}}", fields.join(", "))
            }
        }
    }

    fn write(&self, out: &mut String, indent: usize, used: usize) {
        let line = self.on_one_line();
        if indent > 0 && used + line.len() <= WIDTH {
            out.push_str(&line);
            return;
        }
        let margin = " ".repeat(indent + 1);
        match self {
            Json::Raw(s) => out.push_str(s),
            Json::List(items) if items.iter().all(|i| matches!(i, Json::Raw(_))) => {
                out.push_str("[\n");
                out.push_str(&filled(items, &margin));
                out.push_str(&format!("\n{}]", " ".repeat(indent)));
            }
            Json::List(items) => {
                let each = items.iter().map(|item| (String::new(), item));
                write_block(out, indent, ('[', ']'), each);
            }
            Json::Object(fields) => {
                let each = fields.iter().map(|(n, v)| (format!("\"{n}\": "), v));
                write_block(out, indent, ('{', '}'), each);
            }
        }
    }

    pub fn to_file_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0, 0);
        out.push('\n');
        out
    }
}

fn write_block<'a>(
    out: &mut String,
    indent: usize,
    brackets: (char, char),
    items: impl Iterator<Item = (String, &'a Json)>,
) {
    out.push(brackets.0);
    for (i, (prefix, item)) in items.enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        out.push_str(&" ".repeat(indent + 1));
        out.push_str(&prefix);
        item.write(out, indent + 1, indent + 1 + prefix.len());
    }
    out.push_str(&format!("\n{}{}", " ".repeat(indent), brackets.1));
}

/// Scalars, as many a line as fit.
fn filled(items: &[Json], margin: &str) -> String {
    let mut out = margin.to_string();
    let mut used = margin.len();
    for (i, item) in items.iter().enumerate() {
        let item = item.on_one_line();
        if i > 0 && used + 2 + item.len() > WIDTH {
            out.push_str(&format!(",\n{margin}"));
            used = margin.len();
        } else if i > 0 {
            out.push_str(", ");
            used += 2;
        }
        used += item.len();
        out.push_str(&item);
    }
    out
}
