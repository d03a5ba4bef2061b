package page

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

func staticFiles(t *testing.T) map[string][]byte {
	t.Helper()
	root, err := fs.Sub(static, "static")
	if err != nil {
		t.Fatal(err)
	}
	files, err := readStatic(root)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// What the policy would block, or what would make markup of data, is not even
// written.
func TestNothingInline(t *testing.T) {
	forbidden := map[string]*regexp.Regexp{
		"inline script":    regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<]`),
		"inline style":     regexp.MustCompile(`(?i)<style|\sstyle=`),
		"inline handler":   regexp.MustCompile(`(?i)<[^>]+\son[a-z]+=`),
		"markup from data": regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment`),
		"code from data":   regexp.MustCompile(`\beval\(|new Function\(`),
		"another host":     regexp.MustCompile(`(?i)(?:https?:)?//[a-z0-9-]+\.[a-z]`),
	}
	for name, content := range staticFiles(t) {
		text := strings.ReplaceAll(string(content), "http://www.w3.org/2000/svg", "") // a name, not an address
		for what, pattern := range forbidden {
			if found := pattern.FindString(text); found != "" {
				t.Errorf("%s: %s: %q", name, what, found)
			}
		}
	}
}

// Every module that is imported is there, and every one that is there is used.
func TestModules(t *testing.T) {
	files := staticFiles(t)
	imported := map[string]bool{"js/main.js": true, "js/early.js": true, "js/worker/epoch.js": true}
	importing := regexp.MustCompile(`(?m)^import [^;]*from "([^"]+)";`)
	for name, content := range files {
		if path.Ext(name) != ".js" {
			continue
		}
		if lines := bytes.Count(content, []byte("\n")); lines > 500 {
			t.Errorf("%s has %d lines, want at most 500", name, lines)
		}
		for _, found := range importing.FindAllSubmatch(content, -1) {
			target := path.Join(path.Dir(name), string(found[1]))
			imported[target] = true
			if _, ok := files[target]; !ok {
				t.Errorf("%s imports %s, which is not there", name, found[1])
			}
		}
	}
	for name := range files {
		if path.Ext(name) == ".js" && !imported[name] {
			t.Errorf("%s is used by nothing", name)
		}
	}
}

// Names in braces that a module imports are exported by the other.
func TestImportedNames(t *testing.T) {
	files := staticFiles(t)
	importing := regexp.MustCompile(`(?m)^import \{([^}]*)\} from "([^"]+)";`)
	exporting := regexp.MustCompile(`(?m)^export (?:async )?(?:function|class|const|let) \[?(\w+)`)
	for name, content := range files {
		if path.Ext(name) != ".js" {
			continue
		}
		for _, found := range importing.FindAllSubmatch(content, -1) {
			target := path.Join(path.Dir(name), string(found[2]))
			exported := map[string]bool{}
			for _, e := range exporting.FindAllSubmatch(files[target], -1) {
				exported[string(e[1])] = true
			}
			for one := range strings.SplitSeq(string(found[1]), ",") {
				one = strings.TrimSpace(one)
				if one != "" && !exported[one] {
					t.Errorf("%s imports %s from %s, which does not export it", name, one, target)
				}
				if uses := regexp.MustCompile(`\b`+one+`\b`).FindAllIndex(content, -1); one != "" && len(uses) < 2 {
					t.Errorf("%s imports %s and does not use it", name, one)
				}
			}
		}
	}
}

// Every element that modules look up by its id is in the document or made by one
// of them.
func TestIDs(t *testing.T) {
	files := staticFiles(t)
	made := map[string]bool{}
	for _, found := range regexp.MustCompile(`\sid="([^"]+)"`).FindAllSubmatch(files[document], -1) {
		if made[string(found[1])] {
			t.Errorf("the document has two elements %q", found[1])
		}
		made[string(found[1])] = true
	}
	for name, content := range files {
		if path.Ext(name) == ".js" {
			for _, found := range regexp.MustCompile(`\bid: "([^"]+)"`).FindAllSubmatch(content, -1) {
				made[string(found[1])] = true
			}
		}
	}
	for name, content := range files {
		for _, found := range regexp.MustCompile(`byId\("([^"]+)"\)`).FindAllSubmatch(content, -1) {
			if !made[string(found[1])] {
				t.Errorf("%s looks for an element %q that nothing makes", name, found[1])
			}
		}
	}
}
