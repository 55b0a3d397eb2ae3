import { TestsPage } from './tests-page';

export function ClientTestsPage() {
  return (
    <TestsPage portal="CLIENT" title="System Tests" description="Run various system tests and diagnostics" />
  );
}
