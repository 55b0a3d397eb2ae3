use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use plenum_kernel::{Invalid, check_line};
use sha2::{Digest as _, Sha256};

const ID_BYTES: usize = 16;

/// The id of an answer in its round: a hash of the text. Equal texts are one answer, so it says nothing about a voter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnswerId([u8; ID_BYTES]);

impl AnswerId {
    /// The id of this text.
    pub fn of(text: &str) -> Self {
        let digest = Sha256::digest(text.as_bytes());
        let mut bytes = [0; ID_BYTES];
        bytes.copy_from_slice(&digest[..ID_BYTES]);
        Self(bytes)
    }

    /// Reads 32 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |letter: u8| letter.is_ascii_digit() || (b'a'..=b'f').contains(&letter);
        if text.len() != 2 * ID_BYTES || !text.bytes().all(is_digit) {
            return None;
        }
        u128::from_str_radix(text, 16).ok().map(|number| Self(number.to_be_bytes()))
    }
}

impl fmt::Display for AnswerId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", u128::from_be_bytes(self.0))
    }
}

/// The heading of a group: a line of up to 100 characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupName(String);

impl GroupName {
    /// The maximum number of characters.
    pub const MAX: usize = 100;

    /// Checks a heading.
    ///
    /// # Errors
    /// States the requirement.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        check_line(text, Self::MAX).map(Self)
    }

    /// A stored heading, which was checked before.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The heading.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Answers under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerGroup {
    /// The heading.
    pub name: GroupName,
    /// The answers.
    pub answers: Vec<AnswerId>,
}

/// How the presentation shows the answers to a text question. It changes no result, record, file or voter's screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerCuration {
    /// Whether the presentation shows answers once the result is declared. Otherwise it shows their number only.
    pub is_shown: bool,
    /// The answers that come first, in this order.
    pub picked: Vec<AnswerId>,
    /// The groups.
    pub groups: Vec<AnswerGroup>,
    /// The answers that are only counted.
    pub hidden: Vec<AnswerId>,
}

/// A part of a curation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurationPart {
    /// [`AnswerCuration::picked`]
    Picked,
    /// [`AnswerCuration::groups`]
    Groups,
    /// [`AnswerCuration::hidden`]
    Hidden,
}

/// The part of a curation that does not fit the answers of the round, and the requirement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{requirement}")]
pub struct InvalidCuration {
    /// The part.
    pub part: CurationPart,
    /// The requirement.
    pub requirement: Invalid,
}

/// An answer with the number of people who gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAnswer {
    /// The id.
    pub id: AnswerId,
    /// The text.
    pub text: String,
    /// The number of people.
    pub heads: u64,
}

impl GivenAnswer {
    /// The answer with this text.
    pub fn new(text: String, heads: u64) -> Self {
        Self { id: AnswerId::of(&text), text, heads }
    }
}

impl AnswerCuration {
    /// The maximum number of picked answers.
    pub const MAX_PICKED: usize = 20;
    /// The maximum number of groups.
    pub const MAX_GROUPS: usize = 50;
    /// The maximum number of answers in a group, and of hidden answers.
    pub const MAX_ANSWERS: usize = 20_000;

    /// Checks that each answer has one place, that the headings differ, and that the round has these answers.
    ///
    /// # Errors
    /// Names the part and the requirement.
    pub fn check(&self, given: &[GivenAnswer]) -> Result<(), InvalidCuration> {
        let invalid = |part, text: String| Err(InvalidCuration { part, requirement: Invalid::new(text) });
        for (part, number, max, what) in [
            (CurationPart::Picked, self.picked.len(), Self::MAX_PICKED, "answers"),
            (CurationPart::Groups, self.groups.len(), Self::MAX_GROUPS, "groups"),
            (CurationPart::Hidden, self.hidden.len(), Self::MAX_ANSWERS, "answers"),
        ] {
            if number > max {
                return invalid(part, format!("Must be at most {max} {what}."));
            }
        }
        let mut names = HashSet::new();
        for group in &self.groups {
            if group.answers.is_empty() {
                return invalid(
                    CurationPart::Groups,
                    format!("Must not contain a group without answers: {}.", group.name.as_str()),
                );
            }
            if group.answers.len() > Self::MAX_ANSWERS {
                return invalid(
                    CurationPart::Groups,
                    format!("Must be at most {} answers in a group.", Self::MAX_ANSWERS),
                );
            }
            if !names.insert(&group.name) {
                return invalid(
                    CurationPart::Groups,
                    format!("Must not contain two groups with one heading: {}.", group.name.as_str()),
                );
            }
        }
        let known: HashSet<AnswerId> = given.iter().map(|answer| answer.id).collect();
        let mut placed = HashSet::new();
        for (part, id) in self.places() {
            if !known.contains(&id) {
                return invalid(part, format!("Must not contain an answer that the round does not have: {id}."));
            }
            if !placed.insert(id) {
                return invalid(part, format!("Must not contain an answer that has another place: {id}."));
            }
        }
        Ok(())
    }

    /// The curation without answers that the round no longer has, such as withdrawn test data.
    #[must_use]
    pub fn without_missing(mut self, given: &[GivenAnswer]) -> Self {
        let known: HashSet<AnswerId> = given.iter().map(|answer| answer.id).collect();
        self.picked.retain(|id| known.contains(id));
        self.hidden.retain(|id| known.contains(id));
        for group in &mut self.groups {
            group.answers.retain(|id| known.contains(id));
        }
        self.groups.retain(|group| !group.answers.is_empty());
        self
    }

    /// The answers with a place.
    pub fn places(&self) -> impl Iterator<Item = (CurationPart, AnswerId)> {
        let grouped = self.groups.iter().flat_map(|group| &group.answers);
        (self.picked.iter().map(|id| (CurationPart::Picked, *id)))
            .chain(grouped.map(|id| (CurationPart::Groups, *id)))
            .chain(self.hidden.iter().map(|id| (CurationPart::Hidden, *id)))
    }
}

/// The kind of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardKind {
    /// A picked answer.
    Picked,
    /// A group. Its text is the heading.
    Group,
    /// Another answer.
    Answer,
}

/// A card of the answer wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WallCard {
    /// Its kind.
    pub kind: CardKind,
    /// The text of the answer, or the heading.
    pub text: String,
    /// Whether the text is only the beginning of the answer.
    pub is_cut: bool,
    /// The number of people who gave the answer, or one of the group.
    pub heads: u64,
    /// The number of different answers in it.
    pub different: u64,
}

/// The public part of the answers to a text question: the picked ones, groups with their sum, then others by frequency. It
/// contains no hidden answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerWall {
    /// The cards in order, at most [`Self::MAX_CARDS`].
    pub cards: Vec<WallCard>,
    /// The number of people whose answers have no place because there are too many cards.
    pub more: u64,
    /// The number of people whose answers are hidden.
    pub hidden: u64,
}

impl AnswerWall {
    /// The maximum number of cards.
    pub const MAX_CARDS: usize = 60;
    /// The maximum number of characters of an answer on a card.
    pub const MAX_CHARACTERS: usize = 400;

    /// The wall of these answers.
    pub fn of(curation: &AnswerCuration, given: &[GivenAnswer]) -> Self {
        let answers: HashMap<AnswerId, &GivenAnswer> = given.iter().map(|answer| (answer.id, answer)).collect();
        let parts: BTreeMap<AnswerId, CurationPart> = curation.places().map(|(part, id)| (id, part)).collect();
        let found =
            |ids: &[AnswerId]| -> Vec<&GivenAnswer> { ids.iter().filter_map(|id| answers.get(id).copied()).collect() };

        let mut cards: Vec<WallCard> =
            found(&curation.picked).into_iter().map(|answer| card(CardKind::Picked, answer)).collect();
        let mut groups: Vec<WallCard> = (curation.groups.iter())
            .map(|group| (group, found(&group.answers)))
            .filter(|(_, answers)| !answers.is_empty())
            .map(|(group, answers)| WallCard {
                kind: CardKind::Group,
                text: group.name.as_str().to_owned(),
                is_cut: false,
                heads: heads(&answers),
                different: answers.len() as u64,
            })
            .collect();
        groups.sort_by(|left, right| (right.heads, &left.text).cmp(&(left.heads, &right.text)));
        cards.extend(groups);
        let mut others: Vec<&GivenAnswer> = given.iter().filter(|answer| !parts.contains_key(&answer.id)).collect();
        sort_by_frequency(&mut others);
        let room = Self::MAX_CARDS.saturating_sub(cards.len()).min(others.len());
        let mut more = heads(&others[room..]);
        cards.extend(others[..room].iter().map(|answer| card(CardKind::Answer, answer)));
        more += cards.iter().skip(Self::MAX_CARDS).map(|card| card.heads).sum::<u64>();
        cards.truncate(Self::MAX_CARDS);
        Self { cards, more, hidden: heads(&found(&curation.hidden)) }
    }
}

/// Sorts answers: the most frequent first, equal ones by their texts.
pub fn sort_by_frequency(answers: &mut [&GivenAnswer]) {
    answers.sort_by(|left, right| (right.heads, &left.text).cmp(&(left.heads, &right.text)));
}

fn heads(answers: &[&GivenAnswer]) -> u64 {
    answers.iter().map(|answer| answer.heads).sum()
}

fn card(kind: CardKind, answer: &GivenAnswer) -> WallCard {
    let (text, is_cut) = beginning(&answer.text);
    WallCard { kind, text, is_cut, heads: answer.heads, different: 1 }
}

/// The beginning of a long text, at the end of a word if one is near.
fn beginning(text: &str) -> (String, bool) {
    let Some((end, _)) = text.char_indices().nth(AnswerWall::MAX_CHARACTERS) else { return (text.to_owned(), false) };
    let cut = &text[..end];
    let at_word = cut.rfind(char::is_whitespace).filter(|space| *space > end / 2).map_or(cut, |space| &cut[..space]);
    (format!("{}…", at_word.trim_end()), true)
}

/// A curation with the number of its changes. A round that nobody has curated has version 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredCuration {
    /// The version.
    pub version: u32,
    /// The curation.
    pub curation: AnswerCuration,
}

/// The reason why a curation was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CurationRule {
    /// Another organizer changed it first.
    #[error("another organizer changed the answers first: look at them again")]
    Stale,
    /// The question has a later round.
    #[error("voting on this question was repeated: only the answers of its last round are shown")]
    Superseded,
}

/// The facts that decide whether a curation is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurationContext {
    /// The stored one.
    pub stored: StoredCuration,
    /// Whether the question has a later round.
    pub is_superseded: bool,
}

/// Decides whether to store a curation that is based on version `seen`. Returns the one to store, or `None` if it is stored
/// already, which is valid for any seen version.
///
/// # Errors
/// Names the rule that forbids it.
pub fn decide_curation(
    context: &CurationContext,
    seen: u32,
    curation: &AnswerCuration,
) -> Result<Option<StoredCuration>, CurationRule> {
    if context.is_superseded {
        return Err(CurationRule::Superseded);
    }
    if context.stored.curation == *curation {
        return Ok(None);
    }
    if context.stored.version != seen {
        return Err(CurationRule::Stale);
    }
    Ok(Some(StoredCuration { version: seen.saturating_add(1), curation: curation.clone() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(answers: &[(&str, u64)]) -> Vec<GivenAnswer> {
        answers.iter().map(|(text, heads)| GivenAnswer::new((*text).to_owned(), *heads)).collect()
    }

    fn ids(texts: &[&str]) -> Vec<AnswerId> {
        texts.iter().map(|text| AnswerId::of(text)).collect()
    }

    fn group(name: &str, texts: &[&str]) -> AnswerGroup {
        AnswerGroup { name: GroupName::parse(name).unwrap(), answers: ids(texts) }
    }

    fn cards(wall: &AnswerWall) -> Vec<(CardKind, &str, u64, u64)> {
        wall.cards.iter().map(|card| (card.kind, card.text.as_str(), card.heads, card.different)).collect()
    }

    #[test]
    fn an_id_is_read_back_and_nothing_else_is() {
        let id = AnswerId::of("Trees");
        assert_eq!(AnswerId::parse(&id.to_string()), Some(id));
        assert_ne!(AnswerId::of("trees"), id);
        let text = id.to_string();
        for wrong in ["", "Trees", &text[1..], &text.to_uppercase(), &format!("+{}", &text[1..]), &format!("{text}0")] {
            assert_eq!(AnswerId::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn picked_answers_come_first_then_groups_with_their_sum_then_others_by_frequency() {
        let given = given(&[("Benches", 4), ("Oaks", 2), ("Pines", 3), ("Rude", 1), ("Shade", 9), ("Water", 4)]);
        let curation = AnswerCuration {
            is_shown: true,
            picked: ids(&["Water", "Benches"]),
            groups: vec![group("Trees", &["Pines", "Oaks"])],
            hidden: ids(&["Rude"]),
        };
        assert_eq!(curation.check(&given), Ok(()));
        let wall = AnswerWall::of(&curation, &given);
        let expected = [
            (CardKind::Picked, "Water", 4, 1),
            (CardKind::Picked, "Benches", 4, 1),
            (CardKind::Group, "Trees", 5, 2),
            (CardKind::Answer, "Shade", 9, 1),
        ];
        assert_eq!(cards(&wall), expected);
        assert_eq!((wall.more, wall.hidden), (0, 1));
    }

    #[test]
    fn equally_frequent_answers_are_in_alphabetical_order() {
        let wall = AnswerWall::of(&AnswerCuration::default(), &given(&[("B", 1), ("A", 1), ("C", 2)]));
        let texts: Vec<&str> = wall.cards.iter().map(|card| card.text.as_str()).collect();
        assert_eq!(texts, ["C", "A", "B"]);
    }

    #[test]
    fn every_given_answer_is_on_a_card_or_counted() {
        let many: Vec<GivenAnswer> = (0..300).map(|number| GivenAnswer::new(format!("{number:03}"), number)).collect();
        let groups = (0..50).map(|number| group(&format!("Group {number}"), &[&format!("{number:03}")])).collect();
        let picked = (50..70).map(|number| AnswerId::of(&format!("{number:03}"))).collect();
        let hidden = (70..90).map(|number| AnswerId::of(&format!("{number:03}"))).collect();
        for curation in [
            AnswerCuration::default(),
            AnswerCuration { hidden, ..AnswerCuration::default() },
            AnswerCuration { groups, picked, ..AnswerCuration::default() },
        ] {
            assert_eq!(curation.check(&many), Ok(()));
            let wall = AnswerWall::of(&curation, &many);
            assert_eq!(wall.cards.len(), AnswerWall::MAX_CARDS);
            let shown: u64 = wall.cards.iter().map(|card| card.heads).sum();
            assert_eq!(shown + wall.more + wall.hidden, (0..300).sum::<u64>());
        }
    }

    #[test]
    fn a_long_answer_is_cut_at_a_word() {
        let text = "word ".repeat(100);
        let wall = AnswerWall::of(&AnswerCuration::default(), &given(&[(text.trim(), 1), (&"ß".repeat(2_000), 1)]));
        assert_eq!(wall.cards[0].text, format!("{}…", "word ".repeat(80).trim()));
        assert_eq!(wall.cards[1].text, format!("{}…", "ß".repeat(400)));
        assert!(wall.cards.iter().all(|card| card.is_cut));
        let whole = AnswerWall::of(&AnswerCuration::default(), &given(&[(&"ß".repeat(400), 1)]));
        assert!(!whole.cards[0].is_cut);
    }

    #[test]
    fn a_curation_that_does_not_fit_the_answers_is_refused() {
        let given = given(&[("A", 1), ("B", 1)]);
        let picked = |texts: &[&str]| AnswerCuration { picked: ids(texts), ..AnswerCuration::default() };
        let refused = |curation: AnswerCuration| curation.check(&given).unwrap_err();
        assert_eq!(refused(picked(&["C"])).part, CurationPart::Picked);
        assert_eq!(refused(picked(&["A", "A"])).part, CurationPart::Picked);
        let twice = AnswerCuration { hidden: ids(&["A"]), ..picked(&["A"]) };
        assert_eq!(refused(twice).part, CurationPart::Hidden);
        let many = AnswerCuration { picked: ids(&["A"; 21]), ..AnswerCuration::default() };
        assert_eq!(refused(many).to_string(), "Must be at most 20 answers.");
        for groups in
            [vec![group("Empty", &[])], vec![group("X", &["A"]), group("X", &["B"])], vec![group("X", &["C"])]]
        {
            let curation = AnswerCuration { groups, ..AnswerCuration::default() };
            assert_eq!(refused(curation).part, CurationPart::Groups);
        }
    }

    #[test]
    fn a_group_has_at_most_20_000_answers() {
        let given: Vec<GivenAnswer> = (0..20_001).map(|number| GivenAnswer::new(number.to_string(), 1)).collect();
        let with = |number: usize| {
            let answers = given.iter().take(number).map(|answer| answer.id).collect();
            let groups = vec![AnswerGroup { name: GroupName::parse("All").unwrap(), answers }];
            AnswerCuration { groups, ..AnswerCuration::default() }.check(&given)
        };
        assert_eq!(with(20_000), Ok(()));
        let refused = with(20_001).unwrap_err();
        assert_eq!(refused.part, CurationPart::Groups);
        assert_eq!(refused.to_string(), "Must be at most 20000 answers in a group.");
    }

    #[test]
    fn answers_that_are_gone_leave_the_curation() {
        let curation = AnswerCuration {
            is_shown: true,
            picked: ids(&["A", "Gone"]),
            groups: vec![group("Gone", &["Gone too"]), group("Here", &["B", "Also gone"])],
            hidden: ids(&["Hidden and gone"]),
        };
        let given = given(&[("A", 1), ("B", 2)]);
        let left = AnswerCuration {
            is_shown: true,
            picked: ids(&["A"]),
            groups: vec![group("Here", &["B"])],
            hidden: Vec::new(),
        };
        assert_eq!(AnswerWall::of(&curation, &given), AnswerWall::of(&left, &given));
        assert_eq!(curation.without_missing(&given), left);
    }

    #[test]
    fn a_heading_is_one_line_of_up_to_100_characters() {
        assert!(GroupName::parse(&"ä".repeat(100)).is_ok());
        for wrong in ["", "  ", "two\nlines", &"a".repeat(101)] {
            assert!(GroupName::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_first_of_two_changes_wins_and_a_repeat_changes_nothing() {
        let hides = AnswerCuration { hidden: ids(&["A"]), ..AnswerCuration::default() };
        let context =
            |stored: &StoredCuration, is_superseded| CurationContext { stored: stored.clone(), is_superseded };
        let stored = decide_curation(&context(&StoredCuration::default(), false), 0, &hides).unwrap().unwrap();
        assert_eq!(stored, StoredCuration { version: 1, curation: hides.clone() });
        let shows = AnswerCuration { is_shown: true, ..AnswerCuration::default() };
        for seen in [0, 2] {
            assert_eq!(decide_curation(&context(&stored, false), seen, &shows), Err(CurationRule::Stale));
            assert_eq!(decide_curation(&context(&stored, false), seen, &hides), Ok(None));
        }
        assert_eq!(decide_curation(&context(&stored, true), 1, &shows), Err(CurationRule::Superseded));
    }
}
