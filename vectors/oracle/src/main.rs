//! Writes the test vectors of schedgen from the published algorithm, on the rand
//! 0.8.5 and rand_chacha 0.3.1 crates. It shares no code with schedgen.

mod json;
mod recorded;
mod sampler;
mod schedule;
mod splitmix;
mod stream;
mod text;
mod vectors;

use std::{env, error::Error, path::Path, process::ExitCode};

const USAGE: &str = "usage:
  oracle vectors DIR   write every vector file into DIR
  oracle recorded DIR  compare with recorded schedules, whose files are in DIR
  oracle slow          repeat the published billion-step figure (a minute or less)";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["vectors", dir] => report(dir, vectors::write_all(Path::new(dir)).map_err(Into::into)),
        ["recorded", dir] => report(dir, recorded::check(Path::new(dir))),
        ["slow"] => {
            assert_eq!(vectors::rolls::iterate(1_000_000_000), 10620388038139726539);
            println!("1,000,000,000 iterated rolls: as published");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn report(dir: &str, result: Result<(), Box<dyn Error>>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("oracle: {dir}: {e}");
            ExitCode::FAILURE
        }
    }
}
