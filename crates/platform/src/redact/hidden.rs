//! Invisible characters, which make a text look different to a person than to a machine.

use serde_json::Value;

/// Whether a character is invisible or reorders its neighbours.
///
/// Controls other than tab and line breaks, bidirectional controls, zero-width and joining characters, fillers
/// that look like a space, variation selectors, tags, interlinear and musical controls.
pub const fn is_hidden_unicode(char: char) -> bool {
    matches!(char,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' // controls
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' // Mongolian selectors and separator
        | '\u{200b}'..='\u{200f}' // zero-width and marks
        | '\u{2028}'..='\u{202e}' // separators, embeddings, overrides
        | '\u{2060}'..='\u{206f}' // joiners, invisible operators, isolates
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

// Blocks whose characters are pictures. Digits, letters and `©` also have emoji forms and are left out: after
// them a selector is not needed to read a text.
const fn is_picture(char: char) -> bool {
    matches!(char, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// The first hidden character of a text.
///
/// One exception, so that people may use emoji: U+FE0F right after a picture, and U+200D between two pictures.
/// Every other use of them is hidden text; that also refuses joiners in scripts that use them for shaping, and
/// flags made of tags.
pub fn first_hidden(text: &str) -> Option<char> {
    let mut previous = None;
    // Whether the last visible character was a picture; a selector does not change this.
    let mut picture = false;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let in_emoji = match char {
            '\u{fe0f}' => picture && previous.is_some_and(is_picture),
            '\u{200d}' => picture && chars.peek().copied().is_some_and(is_picture),
            _ => false,
        };
        if is_hidden_unicode(char) && !in_emoji {
            return Some(char);
        }
        if char != '\u{fe0f}' {
            picture = is_picture(char);
        }
        previous = Some(char);
    }
    None
}

/// The first hidden character of a value, in a text or a name: its JSON Pointer, and the character.
pub fn find_hidden_unicode(value: &Value) -> Option<(String, char)> {
    match value {
        Value::String(text) => first_hidden(text).map(|char| (String::new(), char)),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
            find_hidden_unicode(item).map(|(below, char)| (format!("/{index}{below}"), char))
        }),
        Value::Object(members) => members.iter().find_map(|(key, member)| {
            let step = || key.replace('~', "~0").replace('/', "~1");
            if let Some(char) = first_hidden(key) {
                return Some((format!("/{}", step()), char));
            }
            find_hidden_unicode(member).map(|(below, char)| (format!("/{}{below}", step()), char))
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ordinary_text_of_many_scripts_and_emoji_is_fine() {
        for text in [
            "plain\ttext\r\n",
            "Größe",
            "日本語",
            "שלום",
            "مرحبا",
            "नमस्ते",
            "❤️",
            "👨‍👩‍👧",
            "👍🏽",
            "🏳️‍🌈",
            "🇩🇪",
            "a © b",
        ] {
            assert_eq!(first_hidden(text), None, "{text}");
        }
    }

    #[test]
    fn hidden_characters_are_found_with_their_place() {
        for (text, char) in [
            ("pay\u{202e}gnp.exe", '\u{202e}'),
            ("a\u{200b}b", '\u{200b}'),
            ("a\u{200d}b", '\u{200d}'),
            ("👍\u{200d}b", '\u{200d}'),
            ("a\u{fe0f}", '\u{fe0f}'),
            ("❤\u{fe0f}\u{fe0f}", '\u{fe0f}'),
            ("x\u{e0041}", '\u{e0041}'),
            ("x\u{e0101}", '\u{e0101}'),
            ("\u{1b}[31m", '\u{1b}'),
            ("\u{3164}", '\u{3164}'),
            ("\u{feff}x", '\u{feff}'),
            ("a\u{ad}b", '\u{ad}'),
        ] {
            assert_eq!(first_hidden(text), Some(char), "{text:?}");
        }
        let value = json!({"a": ["ok", {"x/y": "\u{2066}"}]});
        assert_eq!(find_hidden_unicode(&value), Some(("/a/1/x~1y".to_owned(), '\u{2066}')));
        assert_eq!(
            find_hidden_unicode(&json!({"k\u{200b}": 1})),
            Some(("/k\u{200b}".to_owned(), '\u{200b}'))
        );
    }
}
