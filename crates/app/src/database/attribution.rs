use plenum_adapter_http::{Attribution, LocalWork};
use plenum_adapter_postgres::on_behalf_of;
use plenum_kernel::Origin;

/// Attributes database transactions to the caller of a request, for the audit log.
pub(crate) struct DatabaseAttribution;

impl Attribution for DatabaseAttribution {
    fn attribute<'a>(&'a self, origin: Origin, work: LocalWork<'a>) -> LocalWork<'a> {
        Box::pin(on_behalf_of(origin, work))
    }
}
