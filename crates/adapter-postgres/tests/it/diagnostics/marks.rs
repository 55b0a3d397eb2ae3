//! The check of ballots of elections.

use super::{Examined, UNGUARDED, add_healthy_client, run, with_ids};

/// Ballots of elections of three candidates and "none of the above" by each notation of marks, and whether they fit.
const MARKS: &[(&str, &str, bool)] = &[
    ("plurality", "4", true),
    ("plurality", "abstain", true),
    ("plurality", "blank", true),
    ("plurality", "5", false),
    ("plurality", "0", false),
    ("plurality", "1 Trees", false),
    ("plurality", "", false),
    ("approval", "1 2 3", true),
    ("approval", "1  2", false),
    ("per_candidate", "1=yes 2=no 3=abstain", true),
    ("per_candidate", "1=perhaps", false),
    ("per_candidate", "1", false),
    ("cumulative", "1=2 3=1", true),
    ("score", "1=5 2=0", true),
    ("score", "9=5", false),
    ("score", "99999999999999999999=1", false),
    ("irv", "1:3 2:1", true),
    ("stv_scottish", "1:4", true),
    ("schulze", "1:2 1:3", true),
    ("borda", "1:5", false),
    ("borda", "3", false),
    ("lists", "list=2 1 1", true),
    ("lists", "list=one", false),
];

#[tokio::test]
async fn a_ballot_of_an_election_fits_if_its_marks_are_of_its_method() {
    let mut examined = Examined::fresh().await;
    run(&mut examined.conn, UNGUARDED);
    let owner = add_healthy_client(&mut examined.conn, 'a');
    let candidates = "INSERT INTO round_options SELECT @205, gen_random_uuid(), place, 'Candidate ' || place, 'choice'
                      FROM generate_series(1, 3) AS place";
    run(&mut examined.conn, &with_ids(candidates, '@', 'a'));
    for (method, marks, fits) in MARKS {
        let ballots = format!(
            "UPDATE rounds SET question_type = 'ELECTION', decision_rule = jsonb_build_object('kind', 'election',
                 'election', jsonb_build_object('method', '{method}', 'noneOfTheAbove', true)) WHERE id = @205;
             UPDATE votes SET answer_text = 'abstain' WHERE id = @306;
             UPDATE votes SET answer_text = '{marks}' WHERE id = @305"
        );
        run(&mut examined.conn, &with_ids(&ballots, '@', 'a'));
        let expected: &[(&str, u64)] = if *fits { &[] } else { &[("answer_misfit", 1)] };
        assert_eq!(examined.found(Some(owner)).await, expected, "{method}: {marks}");
    }
}
