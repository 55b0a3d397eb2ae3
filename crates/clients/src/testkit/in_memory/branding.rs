use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use async_trait::async_trait;
use plenum_kernel::{ClientId, PortFailure};

use super::InMemoryClients;
use crate::{AccentColor, Branding, BrandingStore, Logo, StoredLogo};

#[async_trait]
impl BrandingStore for InMemoryClients {
    async fn branding(&self, owner: ClientId) -> Result<Branding, PortFailure> {
        let state = self.state();
        let logo_version = state.logos.get(&owner).map(|logo| logo.version.clone());
        Ok(Branding { accent: state.accents.get(&owner).copied(), logo_version })
    }

    async fn logo(&self, owner: ClientId) -> Result<Option<StoredLogo>, PortFailure> {
        Ok(self.state().logos.get(&owner).cloned())
    }

    async fn set_accent(&self, owner: ClientId, accent: Option<AccentColor>) -> Result<bool, PortFailure> {
        let mut state = self.state();
        state.accents.remove(&owner);
        let is_known = state.clients.iter().any(|client| client.id == owner);
        state.accents.extend(accent.filter(|_| is_known).map(|accent| (owner, accent)));
        Ok(is_known)
    }

    async fn set_logo(&self, owner: ClientId, logo: Option<Logo>) -> Result<bool, PortFailure> {
        let mut state = self.state();
        state.logos.remove(&owner);
        let is_known = state.clients.iter().any(|client| client.id == owner);
        state.logos.extend(logo.filter(|_| is_known).map(|logo| (owner, stored(&logo))));
        Ok(is_known)
    }
}

fn stored(logo: &Logo) -> StoredLogo {
    let mut hasher = DefaultHasher::new();
    logo.content().hash(&mut hasher);
    StoredLogo { format: logo.format(), content: logo.content().to_vec(), version: format!("{:016x}", hasher.finish()) }
}
