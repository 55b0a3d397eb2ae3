import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { PAGE_SIZE, type Page } from '../../api/page';
import { Providers } from '../../app/providers';
import { createQueryClient } from '../../app/query-client';
import { ListView } from './list-view';
import { type ListSort, useListState } from './use-list-state';

type Status = 'ACTIVE' | 'SUSPENDED';

interface Club {
  number: number;
  name: string;
}

let total: number;
let asked: string[];
/** The promise that the next answer waits for, or fails with. */
let answers: Promise<void>;

beforeEach(() => {
  total = 120;
  asked = [];
  answers = Promise.resolve();
});

async function fetchClubs(query: Record<string, string | number | undefined>): Promise<Page<Club>> {
  asked.push(
    Object.entries(query)
      .flatMap(([key, value]) => (value ? [`${key}=${value}`] : []))
      .join('&'),
  );
  await answers;
  const before = (Number(query.page) - 1) * PAGE_SIZE;
  const length = Math.max(0, Math.min(PAGE_SIZE, total - before));
  const rows = Array.from({ length }, (_, index) => before + index + 1);
  return { rows: rows.map((number) => ({ number, name: `Club ${number}` })), total };
}

/** A list like those of the screens. */
function Clubs({ defaultSort }: { defaultSort?: ListSort }) {
  const list = useListState<Status>({
    filters: ['ACTIVE', 'SUSPENDED'],
    ...(defaultSort ? { defaultSort } : {}),
  });
  const { page, search, filter, sort } = list;
  const query = useQuery({
    queryKey: ['clubs', page, search, filter, sort],
    queryFn: () => fetchClubs({ page, search, status: filter, sort }),
    placeholderData: keepPreviousData,
  });
  return (
    <ListView<Club, Status>
      heading="Clubs"
      list={list}
      query={query}
      columns={[
        { header: 'Name', isSortable: true, onPhone: 'title', render: ({ name }) => name },
        { header: 'Number', onPhone: 'fact', render: ({ number }) => `No. ${number}` },
      ]}
      rowKey={({ name }) => name}
      searchLabel="Search clubs"
      filter={{
        all: 'All',
        options: [
          { value: 'ACTIVE', label: 'Active' },
          { value: 'SUSPENDED', label: 'Suspended' },
        ],
      }}
      loadingText="Loading clubs..."
      errorText="Failed to load clubs"
      emptyIcon={() => null}
      emptyTitle="No clubs found"
      emptyHint="Create the first one"
    />
  );
}

function open(address = '/list', props: { defaultSort?: ListSort } = {}) {
  const router = createMemoryRouter(
    [
      { path: '/before', element: <p>Before</p> },
      { path: '/list', element: <Clubs {...props} /> },
    ],
    { initialEntries: ['/before', address], initialIndex: 1 },
  );
  render(
    <Providers queryClient={createQueryClient({ retry: false })} env="test">
      <RouterProvider router={router} />
    </Providers>,
  );
  return {
    user: userEvent.setup(),
    location: () => `${router.state.location.pathname}${router.state.location.search}`,
    goBack: () => act(() => router.navigate(-1)),
  };
}

const searchBox = () => screen.getByRole('searchbox', { name: 'Search clubs' });
const filterBox = () => screen.getByRole('combobox', { name: 'Filter by status' });
const nameHead = () => screen.getByRole('columnheader', { name: 'Name' });

describe('the address of a list', () => {
  it('says what is shown', async () => {
    open('/list?search=club&status=SUSPENDED&sort=-name&page=2');
    expect(await screen.findByText('Club 51')).toBeInTheDocument();
    expect(asked).toEqual(['page=2&search=club&status=SUSPENDED&sort=-name']);
    expect(searchBox()).toHaveValue('club');
    expect(filterBox()).toHaveDisplayValue('Suspended');
    expect(nameHead()).toHaveAttribute('aria-sort', 'descending');
    expect(screen.getByText('51–100 of 120')).toBeInTheDocument();
  });

  it('may say nonsense, which counts for nothing', async () => {
    open('/list?status=WEIRD&sort=age&page=-3');
    expect(await screen.findByText('Club 1')).toBeInTheDocument();
    expect(asked).toEqual(['page=1']);
  });

  it('leaves out what is as from the start, and leaves alone what is not its own', async () => {
    const { user, location } = open('/list?other=1&status=SUSPENDED&page=2');
    await screen.findByText('Club 51');
    await user.selectOptions(filterBox(), 'All');
    expect(location()).toBe('/list?other=1');
  });

  it('is led back through by "back", but not letter by letter', async () => {
    const { user, location, goBack } = open();
    await screen.findByText('Club 1');
    await user.click(screen.getByRole('button', { name: 'Page 2' }));
    expect(location()).toBe('/list?page=2');
    await user.selectOptions(filterBox(), 'Suspended');
    expect(location()).toBe('/list?status=SUSPENDED');
    await user.type(searchBox(), 'clu');
    await waitFor(() => expect(location()).toBe('/list?status=SUSPENDED&search=clu'));
    await user.type(searchBox(), 'b');
    await waitFor(() => expect(location()).toBe('/list?status=SUSPENDED&search=club'));

    await goBack();
    expect(location()).toBe('/list?page=2');
    expect(searchBox()).toHaveValue('');
    expect(filterBox()).toHaveDisplayValue('All');
    expect(await screen.findByText('Club 51')).toBeInTheDocument();
    await goBack();
    expect(location()).toBe('/list');
    await goBack();
    expect(location()).toBe('/before');
  });

  it('leads to the last page from one beyond the end, and "back" does not return there', async () => {
    const { location, goBack } = open('/list?page=9');
    expect(await screen.findByText('Club 101')).toBeInTheDocument();
    expect(location()).toBe('/list?page=3');
    await goBack();
    expect(location()).toBe('/before');
  });
});

describe('searching', () => {
  it('asks once the typing pauses, and starts at the first page', async () => {
    const { user } = open('/list?page=3');
    await screen.findByText('Club 101');
    await user.type(searchBox(), ' club ');
    await waitFor(() => expect(asked.at(-1)).toBe('page=1&search=club'));
    expect(asked).toEqual(['page=3', 'page=1&search=club']);
    expect(searchBox()).toHaveValue(' club ');
    expect(await screen.findByText('120 results')).toHaveAttribute('role', 'status');
  });

  it('is announced to screen readers and can be undone where nothing is found', async () => {
    total = 0;
    const { user, location } = open('/list?search=club&status=ACTIVE');
    expect(await screen.findByText('No clubs found')).toBeInTheDocument();
    expect(screen.getByText('Try adjusting your search or filters')).toBeInTheDocument();
    expect(screen.getByText('0 results')).toHaveAttribute('role', 'status');
    await user.click(screen.getByRole('button', { name: 'Clear search and filters' }));
    expect(await screen.findByText('Create the first one')).toBeInTheDocument();
    expect(location()).toBe('/list');
    expect(searchBox()).toHaveValue('');
  });
});

describe('sorting', () => {
  it('goes by name, the other way round, and back to the earlier order', async () => {
    const { user, location } = open('/list?page=2');
    await screen.findByText('Club 51');
    expect(nameHead()).toHaveAttribute('aria-sort', 'none');
    for (const [address, sort] of [
      ['/list?sort=name', 'ascending'],
      ['/list?sort=-name', 'descending'],
      ['/list', 'none'],
    ] as const) {
      await user.click(within(nameHead()).getByRole('button', { name: 'Name' }));
      expect(location()).toBe(address);
      expect(nameHead()).toHaveAttribute('aria-sort', sort);
    }
    expect(screen.getByRole('columnheader', { name: 'Number' })).not.toHaveAttribute('aria-sort');
  });

  it('has two ways where the server sorts by name anyway', async () => {
    const { user, location } = open('/list', { defaultSort: 'name' });
    await screen.findByText('Club 1');
    expect(nameHead()).toHaveAttribute('aria-sort', 'ascending');
    await user.click(within(nameHead()).getByRole('button'));
    expect(location()).toBe('/list?sort=-name');
    await user.click(within(nameHead()).getByRole('button'));
    expect(location()).toBe('/list');
  });
});

describe('on the way', () => {
  it('says what is loading', async () => {
    open();
    expect(await screen.findByText('Loading clubs...')).toHaveAttribute('role', 'status');
    expect(await screen.findByRole('heading', { name: 'Clubs (120)' })).toBeInTheDocument();
    expect(screen.queryByText('Loading clubs...')).not.toBeInTheDocument();
  });

  it('keeps the earlier rows until the others are there', async () => {
    const { user } = open();
    await screen.findByText('Club 1');
    let release = () => {};
    answers = new Promise((resolve) => {
      release = resolve;
    });
    await user.click(screen.getByRole('button', { name: 'Page 2' }));
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(screen.getByText('Club 1')).toBeInTheDocument();
    expect(screen.getByRole('region', { name: /Clubs/ })).toHaveAttribute('aria-busy', 'true');
    release();
    expect(await screen.findByText('Club 51')).toBeInTheDocument();
    expect(screen.getByRole('region', { name: /Clubs/ })).not.toHaveAttribute('aria-busy');
  });

  it('offers another try, with the search still there', async () => {
    answers = Promise.reject(new Error('down'));
    const { user } = open('/list?search=club');
    expect(await screen.findByText('Failed to load clubs')).toBeInTheDocument();
    expect(searchBox()).toHaveValue('club');
    answers = Promise.resolve();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Club 1')).toBeInTheDocument();
  });
});
