use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use plenum_kernel::Secrets;
use rand::TryRngCore;
use rand::rngs::OsRng;
use rand::seq::IndexedRandom;

const TOKEN_BYTES: usize = 32;
const PASSWORD_LENGTH: usize = 12;
/// Letters, digits and `!@#$%^&*`, without characters that look alike on paper: 0 O o Q, 1 l I i j !, 2 Z z, 5 S s $, 8
/// B, G b for 6, g q for 9, and letters whose capitals differ only in size. Twelve of these 39 characters have 63 bits.
const PASSWORD_LETTERS: &[u8] = b"ACDEFHJKLMNPRTUVWXYadefhmnrt34679@#%^&*";
const LOWER_CASE: &[u8] = b"abcdefghijklmnopqrstuvwxyz";

/// Secrets from the operating system's random source.
///
/// Panics when the system supplies no randomness, because a predictable secret would be worse.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsSecrets;

impl Secrets for OsSecrets {
    fn token(&self) -> String {
        let mut bytes = [0; TOKEN_BYTES];
        rand::RngCore::fill_bytes(&mut OsRng.unwrap_err(), &mut bytes);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn password(&self) -> String {
        // A new draw keeps all remaining passwords equally likely, unlike a replaced character.
        loop {
            let password = draw(PASSWORD_LETTERS, PASSWORD_LENGTH);
            let has = |is_wanted: fn(&u8) -> bool| password.bytes().any(|letter| is_wanted(&letter));
            // Spreadsheets read "@" at the front as a formula, so lists of passwords would show it wrongly.
            if has(u8::is_ascii_alphabetic) && has(u8::is_ascii_digit) && !password.starts_with('@') {
                return password;
            }
        }
    }

    fn letters(&self, length: usize) -> String {
        draw(LOWER_CASE, length)
    }
}

/// Each character of `alphabet` is equally likely at each position.
fn draw(alphabet: &[u8], length: usize) -> String {
    let mut random = OsRng.unwrap_err();
    (0..length).filter_map(|_| alphabet.choose(&mut random)).copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_token_has_256_bits_and_needs_no_escaping() {
        let token = OsSecrets.token();
        assert_eq!(URL_SAFE_NO_PAD.decode(&token).unwrap().len(), 32);
        assert!(token.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"-_".contains(&letter)));
    }

    #[test]
    fn no_two_tokens_are_the_same() {
        let tokens: HashSet<String> = (0..1_000).map(|_| OsSecrets.token()).collect();
        assert_eq!(tokens.len(), 1_000);
    }

    #[test]
    fn a_password_has_twelve_characters_of_the_alphabet_with_a_letter_and_a_digit() {
        for _ in 0..2_000 {
            let password = OsSecrets.password();
            assert_eq!(password.len(), 12, "{password}");
            assert!(password.bytes().all(|letter| PASSWORD_LETTERS.contains(&letter)), "{password}");
            assert!(password.bytes().any(|letter| letter.is_ascii_alphabetic()), "{password}");
            assert!(password.bytes().any(|letter| letter.is_ascii_digit()), "{password}");
            assert!(!password.starts_with('@'), "{password}");
        }
    }

    #[test]
    fn no_characters_look_alike_and_twelve_have_63_bits() {
        for alike in "0OoQ1lIij!2Zz5Ss$8BG6b9gq".chars().filter(|letter| !"69".contains(*letter)) {
            assert!(!PASSWORD_LETTERS.contains(&(alike as u8)), "{alike}");
        }
        for lower in "ckpuvwxy".bytes() {
            assert!(!PASSWORD_LETTERS.contains(&lower), "it differs from its capital only in size");
        }
        assert!(f64::from(u32::try_from(PASSWORD_LETTERS.len()).unwrap()).log2() * 12.0 > 63.0);
    }

    #[test]
    fn every_character_of_the_alphabet_occurs() {
        let seen: HashSet<u8> = (0..2_000).flat_map(|_| OsSecrets.password().into_bytes()).collect();
        assert_eq!(seen.len(), PASSWORD_LETTERS.len());
    }

    #[test]
    fn letters_are_lower_case_with_the_requested_length() {
        assert_eq!(OsSecrets.letters(0), "");
        let letters = OsSecrets.letters(500);
        assert_eq!(letters.len(), 500);
        assert!(letters.bytes().all(|letter| letter.is_ascii_lowercase()));
    }
}
