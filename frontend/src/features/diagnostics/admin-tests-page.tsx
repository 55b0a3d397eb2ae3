import { TestsPage } from './tests-page';

export function AdminTestsPage() {
  return (
    <TestsPage
      portal="SUPER_ADMIN"
      title="Tests"
      description="Checks this installation from the browser. Each test deletes its own test data."
    />
  );
}
