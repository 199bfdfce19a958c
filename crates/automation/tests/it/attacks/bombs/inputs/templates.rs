//! Hostile templates: some target one weakness each, others are generated at random from a grammar.

use testkit::Dice;

/// The pieces that templates are built from.
const PIECES: &str = include_str!("templates.txt");
const LONGEST: usize = 8 * 1024;

/// The pieces in the section `name`.
fn pieces(name: &str) -> impl Iterator<Item = &'static str> {
    let after = PIECES.lines().skip_while(move |line| line.strip_prefix("== ") != Some(name)).skip(1);
    after.take_while(|line| !line.starts_with("== "))
}

fn piece(dice: &mut Dice, name: &str) -> &'static str {
    let number = dice.below(pieces(name).count());
    pieces(name).nth(number).unwrap_or_default()
}

/// A template with as many copies of a piece as fit.
fn filled(before: &str, piece: &str, after: &str) -> String {
    let room = LONGEST.saturating_sub(before.len() + after.len());
    format!("{before}{}{after}", piece.repeat(room / piece.len()))
}

/// A piece 10 and 100 times, and as often as fits.
fn growing(name: &str, before: &str, piece: &str, after: &str) -> Vec<(String, String)> {
    let times =
        |count: usize| (format!("{name} × {count}"), format!("{before}{}{after}", piece.repeat(count)));
    let mut all: Vec<_> = [10, 100].into_iter().map(times).collect();
    all.push((format!("{name}, full"), filled(before, piece, after)));
    all
}

/// A construct nested in itself.
fn nested(name: &str, open: &str, inside: &str, close: &str) -> Vec<(String, String)> {
    let at = |depth: usize| {
        (format!("{name}, {depth} deep"), format!("{}{inside}{}", open.repeat(depth), close.repeat(depth)))
    };
    [5, 40, 140, 300, 1_000, 2_000].into_iter().map(at).collect()
}

/// Templates that each target one weakness.
pub(crate) fn written() -> Vec<(String, String)> {
    [chains(), nests(), loops(), kept(), words(), odd()].concat()
}

/// Long chains, which become deep syntax trees.
fn chains() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for piece in pieces("chains") {
        all.extend(growing(&format!("chain of {piece}"), "{{ l", piece, " }}"));
        all.extend(growing(&format!("chain of {piece} on a text"), "{{ s", piece, " }}"));
    }
    for piece in pieces("operators") {
        all.extend(growing(&format!("operators {piece}"), "{{ 1", piece, " }}"));
        all.extend(growing(&format!("operators {piece} on a list"), "{{ l", piece, " }}"));
    }
    for piece in pieces("arguments") {
        all.extend(growing(&format!("chain of {piece}"), "{{ s", piece, " }}"));
    }
    for (name, before, piece, after) in [
        ("not", "{{ ", "not ", "s }}"),
        ("minus", "{{ ", "-", "n }}"),
        ("elif", "{% if n == 0 %}", "{% elif n == 0 %}", "{% endif %}"),
        ("else if", "{{ 1", " if n else 1", " }}"),
        ("comparisons", "{{ l", " == m", " }}"),
        ("a list of lists", "{{ [l", ",l", "]|tojson }}"),
    ] {
        all.extend(growing(name, before, piece, after));
    }
    all
}

fn nests() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (name, open, inside, close) in [
        ("if", "{% if n %}", "x", "{% endif %}"),
        ("for", "{% for x in l %}", "{{ x }}", "{% endfor %}"),
        ("for over texts", "{% for x in s %}", "{{ x }}", "{% endfor %}"),
        ("for over itself", "{% for l in l %}", "{{ l }}", "{% endfor %}"),
        ("raw", "{% raw %}", "x", "{% endraw %}"),
        ("tags", "{{", "n", "}}"),
        ("comments", "{#", "x", "#}"),
        ("with", "{% with a = s %}", "x", "{% endwith %}"),
        ("macros", "{% macro a() %}", "x", "{% endmacro %}"),
        ("autoescape", "{% autoescape true %}", "{{ s }}", "{% endautoescape %}"),
    ] {
        all.extend(nested(name, open, inside, close));
    }
    for (name, open, close) in [
        ("parentheses", "(", ")"),
        ("lists", "[", "]"),
        ("maps", "{'a':", "}"),
        ("items", "l[", "]"),
        ("filters", "s|default(", ")"),
    ] {
        for (depth, source) in nested(name, open, "n", close) {
            all.push((depth, format!("{{{{ {source} }}}}")));
        }
    }
    all
}

/// Loops around single instructions that process all data.
fn loops() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for body in pieces("bodies") {
        for (name, open, close) in [
            ("l", "{% for x in l %}", "{% endfor %}"),
            ("a text", "{% for c in s %}", "{% endfor %}"),
            ("rows", "{% for x in ll %}{% for y in ll %}", "{% endfor %}{% endfor %}"),
            ("sorted", "{% for x in l|sort|reverse %}", "{% endfor %}"),
            (
                "written",
                "{% for x in [l,m,s,t] %}{% for i in [1,2,3,4,5,6,7,8,9] %}",
                "{% endfor %}{% endfor %}",
            ),
            (
                "defaults",
                "{% for x in nothing|default([l,m,l,m,l,m]) %}{% for i in l|default(m) %}",
                "{% endfor %}{% endfor %}",
            ),
            ("choices", "{% for x in l if l == m %}", "{% endfor %}"),
        ] {
            all.push((format!("loop over {name}: {body}"), format!("{open}{body}{close}")));
        }
        let unlooped = filled("", body, "");
        all.push((format!("as often as there is room: {body}"), unlooped));
    }
    for add in
        ["x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x", "(x+x)+(x+x)+((x+x)+(x+x))", "x in x", "x == y", "x|upper|lower"]
    {
        // The texts are loop variables, so that the body does not look up any data.
        let source = format!(
            "{{% for x in [s, t]|reverse %}}{{% for y in [t, s]|reverse %}}{{% for c in s %}}{{% if {add} %}}{{% endif %}}{{% endfor %}}{{% endfor %}}{{% endfor %}}"
        );
        all.push((format!("inside of loops, {add}"), source));
    }
    all
}

/// Templates that hold many values at the same time.
fn kept() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for piece in pieces("kept") {
        for (open, close) in [
            ("{{ [", "]|length }}"),
            ("{% if [", "] %}x{% endif %}"),
            ("{{ [", "]|join|length }}"),
            ("{{ [", "]|sort|tojson }}"),
            ("{% for x in [", "]|reverse %}{{ x|length }}{% endfor %}"),
        ] {
            all.extend(growing(&format!("kept {piece} in {open}"), open, piece, close));
        }
        let pairs: String = (0..60).map(|n| format!("'k{n}': {piece}")).collect();
        all.push((format!("kept in a map: {piece}"), format!("{{{{ {{{pairs}}}|length }}}}")));
    }
    all
}

/// Statements and names that must not be available.
fn words() -> Vec<(String, String)> {
    pieces("words").map(|source| (source.to_owned(), source.to_owned())).collect()
}

/// Numbers, date formats, letters, and unclosed delimiters.
fn odd() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |source: String| all.push((format!("{:.60}", source.escape_debug().to_string()), source));
    for number in pieces("numbers") {
        for form in pieces("uses of a number N") {
            add(format!("{{{{ {} }}}}", form.replace('N', number)));
        }
    }
    add(format!("{{{{ {} }}}}", "9".repeat(8_000)));
    for form in pieces("forms of a date") {
        add(format!("{{{{ when|date('{form}') }}}}"));
        add(format!("{{{{ s|date('{form}') }}}}"));
    }
    for open in pieces("not closed") {
        add(open.to_owned());
        add(filled(open, " ", ""));
        add(filled("", open, ""));
        add(filled(open, "a", "}}"));
    }
    for letters in [
        "\u{0}",
        "\u{202e}",
        "\u{200b}",
        "\u{feff}",
        "é",
        "𝕊",
        "ß",
        "\u{301}",
        "\r\n",
        "\u{2028}",
        "\u{7f}",
        "\u{1b}[31m",
    ] {
        add(format!("{{{{ {letters} }}}}"));
        add(format!("{{{{ s.{letters} }}}}"));
        add(format!("{{{{ s|{letters} }}}}"));
        add(format!("{{{{ s is {letters} }}}}"));
        add(format!("{{% {letters} %}}"));
        add(format!("{{{{ '{letters}'|upper|slugify }}}}"));
        add(filled("{{ ", letters, " }}"));
        add(filled("", letters, ""));
    }
    for name in ["a", "é", "ﬃ", "_", "A1"] {
        add(filled("{{ ", name, " }}"));
        add(filled("{{ s|", name, " }}"));
        add(filled("{{ s is ", name, " }}"));
        add(filled("{{ s.", name, " }}"));
        add(filled("{% ", name, " %}"));
        add(filled("{% for ", name, " in l %}{% endfor %}"));
    }
    add("x".repeat(LONGEST + 1));
    add("{{ s }}".repeat(100_000));
    all
}

/// Random templates from a grammar that is slightly larger than the language.
pub(crate) fn made_up(count: usize) -> Vec<(String, String)> {
    let mut dice = Dice::new(10);
    (0..count)
        .map(|number| {
            let mut source = String::new();
            let depth = 1 + dice.below(6);
            statement(&mut dice, &mut source, depth);
            if dice.below(8) == 0 {
                cut(&mut dice, &mut source);
            }
            (format!("made up {number}: {:.100}", source.escape_debug().to_string()), source)
        })
        .collect()
}

/// Removes a piece of a text, or inserts one.
fn cut(dice: &mut Dice, source: &mut String) {
    let letters: Vec<char> = source.chars().collect();
    let at = dice.below(letters.len().max(1));
    let piece = dice.one(&["", "{{", "%}", "'", "(", "|", "\u{0}", "{% endfor %}", " - "]);
    let rest: String = letters.iter().skip(at + dice.below(4)).collect();
    *source = letters.iter().take(at).collect::<String>() + piece + &rest;
}

fn statement(dice: &mut Dice, out: &mut String, depth: usize) {
    for _ in 0..=dice.below(3) {
        match dice.below(if depth == 0 { 2 } else { 8 }) {
            0 => out.push_str(dice.one(&["text ", "\n", "é", "{# c #}", "{% raw %}{{{% endraw %}"])),
            1..=3 => {
                out.push_str("{{ ");
                expression(dice, out, depth);
                out.push_str(" }}");
            }
            4 | 5 => {
                out.push_str("{% if ");
                expression(dice, out, depth);
                out.push_str(" %}");
                statement(dice, out, depth.saturating_sub(1));
                out.push_str(dice.one(&[
                    "{% endif %}",
                    "{% else %}e{% endif %}",
                    "{% elif n %}e{% endif %}",
                ]));
            }
            _ => {
                let name = dice.one(&["x", "l", "y", "loop"]);
                let over = piece(dice, "looped");
                out.push_str(&format!("{{% for {name} in {over} %}}"));
                statement(dice, out, depth.saturating_sub(1));
                out.push_str("{% endfor %}");
            }
        }
    }
}

fn expression(dice: &mut Dice, out: &mut String, depth: usize) {
    if depth == 0 || dice.below(4) == 0 {
        return out.push_str(piece(dice, "leaves"));
    }
    match dice.below(6) {
        0 | 1 => {
            expression(dice, out, depth - 1);
            out.push_str(piece(dice, "filters"));
        }
        2 | 3 => {
            out.push('(');
            expression(dice, out, depth - 1);
            let operator = if dice.below(20) == 0 { "*" } else { piece(dice, "binary") };
            out.push_str(&format!(" {operator} "));
            expression(dice, out, depth - 1);
            out.push(')');
        }
        4 => {
            expression(dice, out, depth - 1);
            out.push_str(piece(dice, "suffixes"));
        }
        _ => {
            out.push('[');
            expression(dice, out, depth - 1);
            out.push_str(", ");
            expression(dice, out, depth - 1);
            out.push(']');
        }
    }
}
