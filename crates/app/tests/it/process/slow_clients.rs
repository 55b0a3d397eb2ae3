use clap::Parser as _;
use plenum_load::arguments::Arguments;
use plenum_load::machine::raise_open_files;
use plenum_load::play::play;

use crate::process::support::{PASSWORD, ROOT_EMAIL, Serving, folder};

/// One address holds 2,000 slow connections beyond the timeouts of the server, and floods the sign-in. Votes from
/// another address succeed. The test does not judge their latency.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_vote_beside_slow_clients_of_another_address_is_acknowledged() {
    raise_open_files();
    let folder = folder();
    let serving = Serving::start(folder.path()).await;
    let line = "plenum-load slow-clients --slow 2000 --flood 50 --voting-voters 50 --voting-rate 25 --before 1s --duration 15s";
    let server = ["--url", serving.origin(), "--admin-email", ROOT_EMAIL, "--admin-password", PASSWORD];
    let arguments = Arguments::try_parse_from(line.split(' ').chain(server)).unwrap();
    let (result, _) = play(&arguments.command).await.unwrap();
    let outcome = result.outcome();
    let journal = outcome.journal.unwrap();
    assert!(journal.is_clean() && journal.refused == 0 && journal.unknown == 0, "{outcome:?}");
    let figure = |name: &str| outcome.figure(name).unwrap_or_else(|| panic!("no {name}: {outcome:?}"));
    assert!(figure("voting_during_p99") > 0.0, "no votes beside the slow clients");
    // Slow connections were accepted, closed, and opened again.
    assert!(figure("slow_opened") > 2_000.0 && figure("slow_cut") > 0.0, "{outcome:?}");
    // The limit of the address bounds the checks of wrong passwords: 60, and two each second. A busy machine checks
    // fewer.
    assert!(figure("sign_ins_401") <= 110.0 && figure("sign_ins_other") == 0.0, "{outcome:?}");
}
