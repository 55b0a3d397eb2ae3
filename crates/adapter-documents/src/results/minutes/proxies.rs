use plenum_result_format::{RegisteredVoter, RoundFile};

use super::page::{Pages, Row, numbers, texts};
use crate::results::labels::{grouped, proxy_state};

/// Lists the proxies that were in force when a round opened, with what became of them.
pub(super) fn write(pages: &mut Pages, round: &RoundFile) {
    let held = |voter: &'_ RegisteredVoter| {
        let holder = voter.represented_by.as_ref()?;
        Some(Row::of([
            voter.name.clone(),
            grouped(voter.weight),
            holder.name.clone(),
            holder.reference.clone().unwrap_or_default(),
            proxy_state(voter).to_owned(),
        ]))
    };
    let rows: Vec<Row> = round.register.iter().filter_map(held).collect();
    if rows.is_empty() {
        return;
    }
    pages.heading(3, "Proxies in force at opening");
    let columns = [texts(0.24), numbers(0.1), texts(0.22), texts(0.24), texts(0.2)];
    pages.table(columns, ["Principal", "Weight", "Holder", "Reference", "Vote"], rows);
    pages.space(12.);
}
