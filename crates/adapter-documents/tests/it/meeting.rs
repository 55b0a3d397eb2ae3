//! The results of a fictional meeting. Documents compute nothing: the tests search for its figures, so no two of them
//! are equal if they could be confused.

use plenum_result_format::{AttendanceKind, Count, PresenceRuleName, ResultsFile, RoundFile};
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// Greetings in scripts with different layouts.
pub(crate) const SCRIPTS: [&str; 12] = [
    "Grüße, Łódź, Ðặng",
    "Γειά σου Κόσμε",
    "Привет, мир",
    "שלום עולם",
    "مرحبا بالعالم",
    "नमस्ते दुनिया",
    "สวัสดีชาวโลก",
    "你好，世界",
    "こんにちは世界",
    "안녕하세요 세계",
    "Բարեւ გამარჯობა",
    "🗳️ 👍 ✓ ☎ → ≥ ½ €",
];

/// Texts with a meaning in programs that interpret markup.
pub(crate) const HOSTILE: &str = "#[]*_$\\ <b>&amp;</b> {{x}} `code` @SUM(A1) %n \"q\" 'q'";

const OPTIONS: [&str; 3] = [
    "019a9d5e-0000-7000-8000-000000000011",
    "019a9d5e-0000-7000-8000-000000000012",
    "019a9d5e-0000-7000-8000-000000000013",
];

/// A result without votes, for changes by the tests.
fn blank(position: u32, text: &str, question_type: &str) -> Value {
    let none = json!({ "heads": 0, "weight": 0 });
    json!({
        "roundId": format!("019a9d5e-0000-7000-8000-0000000001{position:02}"),
        "questionId": format!("019a9d5e-0000-7000-8000-0000000002{position:02}"),
        "position": position, "number": 1, "reason": null, "status": "COUNTED", "questionText": text,
        "questionType": question_type, "ratingMax": null, "maxChoices": null, "isNamed": false,
        "decisionRule": null, "quorum": null,
        "openedAt": "2026-11-21T18:04:05.120Z", "endedAt": "2026-11-21T18:09:41Z", "declared": null,
        "register": none, "connectedAtOpening": none,
        "presence": "CONNECTED_OR_VOTED", "present": none, "votesCast": none, "notVoted": none, "invalid": none,
        "options": [], "numbers": null, "differentTexts": null,
        "decision": { "outcome": "undecided", "elected": [], "tie": null },
        "arithmetic": {
            "checks": [], "quorum": null, "sentence": "Not decided: the question has no decision rule",
        },
        "log": [],
    })
}

fn with(mut value: Value, changes: Value) -> Value {
    let Value::Object(changes) = changes else { panic!("changes are an object") };
    for (field, change) in changes {
        value[field] = change;
    }
    value
}

fn option(index: usize, text: &str, role: &str, votes: Value) -> Value {
    with(json!({ "id": OPTIONS[index], "text": text, "role": role }), votes)
}

/// The votes for an option, with their shares by heads and by weight.
fn votes(heads: u32, weight: &str, percents: [&str; 2]) -> Value {
    let number = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    json!({
        "heads": heads, "weight": number(weight),
        "headsPercent": number(percents[0]), "weightPercent": number(percents[1]),
    })
}

fn file(result: &Value, register: &Value, ballots: &Value, texts: &Value) -> RoundFile {
    serde_json::from_value(json!({ "result": result, "register": register, "ballots": ballots, "texts": texts }))
        .unwrap()
}

/// A named motion, declared, with an admission and an exclusion.
fn motion() -> RoundFile {
    let sentence = "Accepted: 412.5 of 604.5 votes by weight are yes, 68.24 %; more than 2/3, that is 403, were needed";
    let quorum = json!({
        "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
    });
    let result = with(
        blank(1, "Do you approve the budget for 2027?", "YES_NO"),
        json!({
            "status": "DECLARED", "isNamed": true, "quorum": quorum,
            "decisionRule": {
                "kind": "majority", "onTie": "rejected",
                "conditions": [
                    { "units": "weight", "base": "yes_plus_no", "comparison": "more_than", "numerator": 2, "denominator": 3 },
                ],
            },
            "declared": { "at": "2026-11-21T18:10:02Z", "by": "Maria Keller" },
            "record": {
                "hash": "5df6e0e2761359d3".repeat(4), "key": "2c26b46b68ffc68f".repeat(4),
                "recordedAt": "2026-11-21T18:10:02Z", "isRecordedLater": false,
            },
            "register": { "heads": 731, "weight": 812.0625 }, "connectedAtOpening": { "heads": 655, "weight": 700.3 },
            "present": { "heads": 657, "weight": 702.375 },
            "votesCast": { "heads": 620, "weight": 650.1234 }, "notVoted": { "heads": 111, "weight": 161.9391 },
            "invalid": { "heads": 0, "weight": 0 },
            "options": [
                option(0, "Yes", "yes", votes(401, "412.5", ["64.68", "63.45"])),
                option(1, "No", "no", votes(187, "192", ["30.16", "29.53"])),
                option(2, "Abstain", "abstain", votes(32, "45.6234", ["5.16", "7.02"])),
            ],
            "decision": { "outcome": "accepted", "elected": [], "tie": null },
            "arithmetic": {
                "checks": [{
                    "option": null, "unit": "weight", "base": "yes_plus_no", "comparison": "more_than", "numerator": 2,
                    "denominator": 3, "part": 412.5, "whole": 604.5, "percent": 68.24,
                    "needed": { "amount": 403, "isEnough": false, "isRoundedUp": false }, "isTie": false, "isMet": true,
                }],
                "quorum": {
                    "quorum": quorum, "attending": 657, "register": 731, "percent": 89.88,
                    "needed": { "amount": 366, "isEnough": true, "isRoundedUp": false }, "isMet": true,
                    "sentence": "Quorum met: 657 of 731 in the register by heads were present, 89.88 %; at least 1/2, that is 366, were needed",
                },
                "sentence": sentence,
            },
            "log": [
                { "at": "2026-11-21T18:04:05.120Z", "kind": "OPENED", "by": "Maria Keller", "person": null, "reason": null },
                {
                    "at": "2026-11-21T18:05:31Z", "kind": "ADMITTED", "by": "Maria Keller", "reason": "Came late",
                    "person": { "name": "Ada Young", "username": "ada.young", "weight": 1.0375 },
                },
                {
                    "at": "2026-11-21T18:03:07Z", "kind": "EXCLUDED", "by": "Omar Haddad", "reason": "Conflict of interest",
                    "person": { "name": "Ben Frost", "username": "ben.frost", "weight": 2.5 },
                },
                {
                    "at": "2026-11-21T18:07:01Z", "kind": "PASSWORD_SET", "by": "Omar Haddad", "reason": "Lost the letter",
                    "person": { "name": "Ada Young", "username": "ada.young", "weight": 1.0375 },
                },
                { "at": "2026-11-21T18:09:41Z", "kind": "ENDED", "by": "Maria Keller", "person": null, "reason": null },
                { "at": "2026-11-21T18:09:50Z", "kind": "COUNTED", "by": "Maria Keller", "person": null, "reason": null },
                { "at": "2026-11-21T18:10:02Z", "kind": "DECLARED", "by": "Maria Keller", "person": null, "reason": null },
            ],
        }),
    );
    let voters = SCRIPTS.iter().enumerate().map(|(index, name)| {
        json!({
            "place": index + 1, "name": name, "username": format!("voter.{index}"), "weight": 1.0375,
            "addedAt": "2026-11-21T18:04:05.120Z", "wasConnected": index % 2 == 0, "hasVoted": index != 3,
        })
    });
    let ballots = (0..SCRIPTS.len()).filter(|index| *index != 3).map(|index| {
        let answer = json!({ "options": [OPTIONS[index % 3]] });
        json!({ "voter": index + 1, "answer": answer, "weight": 1.0375, "count": 1 })
    });
    file(&result, &voters.collect(), &ballots.collect(), &json!([]))
}

/// The meeting with the motion counted by a kind of weight and by a second one, whose sums have 24 digits.
pub(crate) fn results_by_kinds() -> ResultsFile {
    let mut file = results();
    let kind = |id: u32, name: &str, unit: Value| {
        json!({
            "id": format!("019a9d5e-0000-7000-8000-0000000003{id:02}"), "name": name, "unit": unit, "decimals": 6,
        })
    };
    let count =
        |heads: u32, weight: &str| json!({ "heads": heads, "weight": serde_json::from_str::<Value>(weight).unwrap() });
    let option = |index: usize, heads, weight| with(count(heads, weight), json!({ "id": OPTIONS[index] }));
    let result = &mut file.rounds[0].result;
    result.weight_kind = serde_json::from_value(kind(1, "Units", json!(null))).unwrap();
    result.second_weight = serde_json::from_value(json!({
        "kind": kind(2, "Living area", json!("m²")),
        "register": count(731, "999999999999999999.999999"), "absent": count(7, "71.5"),
        "present": count(657, "90210.75"), "votesCast": count(620, "88001.25"),
        "options": [option(0, 401, "51234.5"), option(1, 187, "30001.5"), option(2, 32, "6765.25")],
        "inEach": [{
            "name": "Tenants", "register": count(31, "3131.5"), "present": count(21, "2121.5"),
            "votesCast": count(11, "1111.5"), "options": [option(0, 9, "909.5")],
        }],
    }))
    .unwrap();
    let mut check = result.arithmetic.checks[0].clone();
    check.unit = plenum_result_format::MeasureName::SecondWeight;
    result.arithmetic.checks.push(check);
    for voter in &mut file.rounds[0].register {
        voter.second_weight = Some("123456789012345678.25".parse().unwrap());
    }
    for ballot in &mut file.rounds[0].ballots {
        ballot.second_weight = Some("123456789012345678.25".parse().unwrap());
    }
    file
}

/// An election with a re-vote, whose result is not declared.
fn election() -> RoundFile {
    let check = |index: usize, part: u32, percent: f64, is_met: bool| {
        json!({
            "option": OPTIONS[index], "unit": "heads", "base": "votes_cast", "comparison": "more_than", "numerator": 1,
            "denominator": 2, "part": part, "whole": 97, "percent": percent,
            "needed": { "amount": 49, "isEnough": true, "isRoundedUp": false }, "isTie": false, "isMet": is_met,
        })
    };
    let result = with(
        blank(2, HOSTILE, "MULTIPLE_CHOICE"),
        json!({
            "number": 2, "reason": "=The first round had a tie", "maxChoices": 2,
            "decisionRule": {
                "kind": "each_option", "seats": 1,
                "condition": {
                    "units": "heads", "base": "votes_cast", "comparison": "more_than", "numerator": 1, "denominator": 2,
                },
            },
            "votesCast": { "heads": 97, "weight": 98.7654 },
            "options": [
                option(0, "=HYPERLINK(\"http://evil\")", "choice", votes(58, "59.25", ["59.79", "59.99"])),
                option(1, HOSTILE, "choice", votes(21, "22.75", ["21.65", "23.03"])),
                option(2, "ليلى حداد (Layla)", "choice", votes(18, "16.7654", ["18.56", "16.97"])),
            ],
            "decision": { "outcome": "elected", "elected": [OPTIONS[0]], "tie": null },
            "arithmetic": {
                "checks": [check(0, 58, 59.79, true), check(1, 21, 21.65, false), check(2, 18, 18.56, false)],
                "quorum": null, "sentence": "Elected: the first with 58 of 97 votes by heads, 59.79 %",
            },
            "log": [],
        }),
    );
    let ballots = json!([
        { "voter": null, "answer": { "options": [OPTIONS[0], OPTIONS[1]] }, "weight": 1.25, "count": 17 },
        { "voter": null, "answer": { "options": [OPTIONS[2]] }, "weight": 1.5, "count": 3 },
    ]);
    file(&result, &json!([]), &ballots, &json!([]))
}

fn rating() -> RoundFile {
    let values = [(1, 3, 3.5), (2, 7, 7.25), (3, 0, 0.), (4, 61, 66.5), (5, 23, 24.125)];
    let values = values.map(|(value, heads, weight)| json!({ "value": value, "heads": heads, "weight": weight }));
    let result = with(
        blank(3, "How did you like the venue?", "RATING"),
        json!({
            "ratingMax": 5, "votesCast": { "heads": 94, "weight": 101.375 },
            "numbers": {
                "mean": 4.0106, "weightedMean": 3.9951, "median": 4, "weightedMedian": 4.5, "distribution": values,
            },
        }),
    );
    file(&result, &json!([]), &json!([]), &json!([]))
}

/// The number of answers to the open question.
pub(crate) const TEXTS: usize = 223;

fn wishes() -> RoundFile {
    let texts = (0..TEXTS).map(|index| {
        let text = match index {
            0 => "=cmd|' /C calc'!A0".to_owned(),
            1 => "word ".repeat(2_000),
            2 => "x".repeat(2_000),
            3 => "abc\u{202e}def\u{200f}\u{1}ghi\tjkl\nnext line".to_owned(),
            index => format!("Wish number {index}"),
        };
        json!({ "text": text, "heads": 1, "weight": 1.5 })
    });
    let result = blank(4, &"A very long question. ".repeat(450), "OPEN_TEXT");
    let result = with(result, json!({ "differentTexts": TEXTS, "votesCast": { "heads": TEXTS, "weight": 334.5 } }));
    file(&result, &json!([]), &json!([]), &texts.collect())
}

/// A declared secret vote with an accepted risk, which counts by heads.
pub(crate) fn secret_election() -> RoundFile {
    let sentence = "The votes of 3 people could be inferred from the totals (weights 37.5; 50)";
    let result = with(
        blank(5, "Who is to chair the club?", "MULTIPLE_CHOICE"),
        json!({
            "secrecy": "secret", "countsHeads": true,
            "votesCast": { "heads": 215, "weight": 215 }, "invalid": { "heads": 3, "weight": 3 },
            "options": [
                option(0, "Nadia Brandt", "choice", votes(121, "121", ["56.28", "56.28"])),
                option(1, "Tom Weber", "choice", votes(94, "94", ["43.72", "43.72"])),
            ],
            "log": [
                { "at": "2026-11-21T18:04:05Z", "kind": "RISK_ACCEPTED", "by": "Maria Keller", "person": null, "reason": sentence },
            ],
        }),
    );
    let ballots = json!([
        { "voter": null, "answer": { "options": [OPTIONS[0]] }, "weight": 1, "count": 121 },
        { "voter": null, "answer": { "options": [OPTIONS[1]] }, "weight": 1, "count": 94 },
    ]);
    let receipt = |index: usize| format!("ABCD-EFGH-{}-NPQR", ["JKLM", "JKLN", "JKLP"][index]);
    let urn = json!({
        "openedAt": "2026-11-21T18:09:50Z", "receipts": (0..3).map(receipt).collect::<Vec<_>>(),
        "envelopesHash": "7b0e19c4".repeat(8), "publicKey": format!("04{}", "a1".repeat(64)),
    });
    let round = file(&result, &json!([]), &ballots, &json!([]));
    RoundFile { urn: Some(serde_json::from_value(urn).unwrap()), ..round }
}

/// The meeting with a secret vote, and another one that is void.
pub(crate) fn secret_results() -> ResultsFile {
    let void = json!({
        "roundId": "019a9d5e-0000-7000-8000-0000000000fe", "position": 6, "number": 1,
        "questionText": "Who is to audit the accounts?", "isVoid": true,
    });
    let mut file = results();
    file.rounds.push(secret_election());
    file.uncounted.push(serde_json::from_value(void).unwrap());
    file
}

/// The whole meeting.
pub(crate) fn results() -> ResultsFile {
    let attendance = (0..9).map(|minute: u32| {
        let heads = [512, 604, 655, 655, 650, 641, 690, 702, 688][minute as usize];
        json!({
            "at": format!("2026-11-21T18:0{minute}:00Z"), "present": { "heads": heads, "weight": f64::from(heads) + 44.25 },
            "eligible": { "heads": 731, "weight": 812.0625 }, "isQuorate": minute > 0,
        })
    });
    let remarks = json!([
        {
            "id": "019a9d5e-0000-7000-8000-00000000000c", "at": "2026-11-21T18:12:00Z", "by": "Maria Keller",
            "kind": "REMARK", "text": "The treasurer left the room.\nShe came back at once.",
        },
        {
            "id": "019a9d5e-0000-7000-8000-00000000000d", "at": "2026-11-21T18:13:30Z", "by": "=1+1",
            "kind": "INCIDENT", "text": "+The microphone failed",
        },
    ]);
    let meeting = json!({
        "id": "019a9d5e-0000-7000-8000-000000000004", "title": "Annual meeting 2026", "organization": "Rowing Club Łódź",
        "status": "COMPLETED", "scheduledStart": "2026-11-21T18:00:00Z", "scheduledEnd": "2026-11-21T20:00:00Z",
        "quorum": {
            "comparison": "at_least", "numerator": 3, "denominator": 4, "unit": "heads", "attendance": "present",
            "atOpening": "warn",
        },
    });
    let file = json!({
        "format": "plenum-results/1", "exportedAt": "2026-11-21T20:01:02Z", "meeting": meeting, "rounds": [],
        "attendance": attendance.collect::<Vec<_>>(), "remarks": remarks,
    });
    let file: ResultsFile = serde_json::from_value(file).unwrap();
    ResultsFile { rounds: vec![motion(), election(), rating(), wishes()], ..file }
}

/// The meeting with check-in: a first note and a motion with represented people, and two people who came.
pub(crate) fn attended() -> ResultsFile {
    let mut file = results();
    let represented = Some(Count { heads: 12, weight: Decimal::new(135, 1) });
    file.attendance[0].represented = represented;
    let motion = &mut file.rounds[0].result;
    motion.presence = PresenceRuleName::CheckedIn;
    motion.present = Some(Count { heads: 645, weight: Decimal::new(688_875, 3) });
    motion.represented = represented;
    let entry = |name: &str, kind: &str, minute: u32, by: &str| {
        let at = format!("2026-11-21T18:{minute:02}:00Z");
        json!({ "name": name, "username": name.to_lowercase(), "kind": kind, "at": at, "notedAt": at, "by": by })
    };
    let log = json!([
        entry("Ben Otto", "IN", 1, "Desk 2"),
        entry("Ada Young", "IN", 2, "Desk 1"),
        entry("Ada Young", "OUT", 40, "Desk 2"),
    ]);
    file.check_ins = serde_json::from_value(log).unwrap();
    file
}

/// The meeting with check-in, where Ada got another name and Ben another username before they went.
pub(crate) fn renamed() -> ResultsFile {
    let mut file = attended();
    file.check_ins[2].name = "Ada Younger".to_owned();
    let mut went = file.check_ins[0].clone();
    (went.kind, went.username) = (AttendanceKind::Out, "ben".to_owned());
    went.at = "2026-11-21T18:31:00Z".parse().unwrap();
    went.noted_at = went.at;
    file.check_ins.push(went);
    file
}

/// The meeting with both rounds of the election. It was the third question at its first round, and the second one at its re-vote.
pub(crate) fn moved_up() -> ResultsFile {
    let mut file = results();
    let mut first = file.rounds[1].clone();
    first.result.round_id = "019a9d5e-0000-7000-8000-0000000001fe".parse().unwrap();
    (first.result.position, first.result.number, first.result.reason) = (3, 1, None);
    file.rounds.insert(1, first);
    file
}

/// The meeting with a quorum for a second call, to which the last four notes belong.
pub(crate) fn called_twice() -> ResultsFile {
    let mut file = results();
    let quorum = file.meeting.quorum.as_mut().unwrap();
    quorum.second_call =
        Some(plenum_result_format::QuorumFormat { numerator: Some(1), denominator: Some(4), ..quorum.quorum() });
    for note in &mut file.attendance[5..] {
        note.is_second_call = true;
    }
    file
}

/// A meeting with one election, counted by heads: two valid ballots, three that choose too many, and one that could not be read.
pub(crate) fn invalid_ballots() -> ResultsFile {
    let sum = |heads: u32| json!({ "heads": heads, "votes": heads.to_string() });
    let candidate = |number: u32, name: &str| json!({ "number": number, "name": name, "line": null, "isWithdrawn": false, "support": "0" });
    let share = json!({ "base": "votes_cast", "comparison": "more_than", "numerator": 1, "denominator": 2 });
    let rule = json!({ "method": "plurality", "requirement": share, "leastChoices": 1, "mostChoices": 1 });
    let result = with(
        blank(1, "Who is to chair the club?", "ELECTION"),
        json!({
            "decisionRule": { "kind": "election", "election": rule },
            "votesCast": { "heads": 5, "weight": 5.5 }, "invalid": { "heads": 1, "weight": 1.25 },
            "options": [
                option(0, "Ada Arden", "choice", votes(3, "3.25", ["60.00", "59.09"])),
                option(1, "Ben Brook", "choice", votes(2, "2.25", ["40.00", "40.91"])),
                option(2, "Cleo Cole", "choice", votes(3, "3.25", ["60.00", "59.09"])),
            ],
            "election": {
                "method": "plurality", "seats": 1, "unit": "heads",
                "ballots": {
                    "cast": sum(5), "valid": sum(2), "abstentions": sum(0), "invalid": sum(3), "faults": [],
                },
                "candidates": [candidate(1, "Ada Arden"), candidate(2, "Ben Brook"), candidate(3, "Cleo Cole")],
                "stages": [{
                    "number": 1, "kind": "count", "of": [], "surplus": null, "quota": null, "isQuotaEnough": true,
                    "votes": [
                        { "candidate": 1, "votes": "0" }, { "candidate": 2, "votes": "2" },
                        { "candidate": 3, "votes": "0" },
                    ],
                    "transfers": [], "nonTransferable": "0", "remainder": "0", "words": ["Ben Brook is elected."],
                }],
                "elected": [{ "candidate": 2, "stage": 1, "by": "required_share", "list": null }],
                "answers": null, "pairs": null, "lists": null, "order": [], "tie": null, "decisions": [],
                "vacancies": null,
            },
            "decision": { "outcome": "elected", "elected": [OPTIONS[1]], "tie": null },
            "arithmetic": { "checks": [], "quorum": null, "sentence": "Elected: Ben Brook" },
        }),
    );
    let mut file = results();
    file.rounds = vec![self::file(&result, &json!([]), &json!([]), &json!([]))];
    file
}
