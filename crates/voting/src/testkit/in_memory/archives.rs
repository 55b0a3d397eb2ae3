use async_trait::async_trait;
use plenum_kernel::{ArchiveId, Page, PageRequest, PortFailure};

use super::InMemoryVoting;
use crate::{Archives, ImportedArchive};

#[async_trait]
impl Archives for InMemoryVoting {
    async fn keep(&self, archive: ImportedArchive, content: Vec<u8>) -> Result<bool, PortFailure> {
        let archives = &mut self.state().archives;
        let is_new = archives.iter().all(|(known, _)| known.id != archive.id);
        if is_new {
            archives.push((archive, content));
        }
        Ok(is_new)
    }

    async fn list(&self, page: PageRequest) -> Result<Page<ImportedArchive>, PortFailure> {
        let mut archives: Vec<_> = self.state().archives.iter().map(|(archive, _)| archive.clone()).collect();
        archives.sort_by_key(|archive| std::cmp::Reverse((archive.imported_at, archive.id)));
        Ok(Page::of_list(archives, page))
    }

    async fn content(&self, id: ArchiveId) -> Result<Option<Vec<u8>>, PortFailure> {
        let state = self.state();
        Ok(state.archives.iter().find(|(archive, _)| archive.id == id).map(|(_, content)| content.clone()))
    }

    async fn remove(&self, id: ArchiveId) -> Result<bool, PortFailure> {
        let mut state = self.state();
        let before = state.archives.len();
        state.archives.retain(|(archive, _)| archive.id != id);
        Ok(state.archives.len() < before)
    }
}
