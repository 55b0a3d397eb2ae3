import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Providers } from '../../app/providers';
import { createQueryClient } from '../../app/query-client';
import { toast } from './toast';

const shown = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent);

describe('toasts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    render(
      <Providers queryClient={createQueryClient({ retry: false })} env="test">
        <main />
      </Providers>,
    );
  });
  afterEach(() => vi.useRealTimers());

  it('are said, the newest last, and go by themselves', () => {
    act(() => toast.success('Saved'));
    act(() => vi.advanceTimersByTime(2_000));
    act(() => toast.error('Not saved'));
    expect(shown()).toEqual(['Saved', 'Not saved']);
    act(() => vi.advanceTimersByTime(2_000));
    expect(shown()).toEqual(['Not saved']);
    act(() => vi.advanceTimersByTime(2_000));
    expect(shown()).toEqual([]);
  });

  it('can be dismissed', () => {
    act(() => toast.info('Copied'));
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(shown()).toEqual([]);
  });

  it('stay while somebody points at them or is in them', () => {
    act(() => toast.info('Copied'));
    fireEvent.mouseEnter(screen.getByRole('alert'));
    act(() => vi.advanceTimersByTime(60_000));
    expect(shown()).toEqual(['Copied']);
    fireEvent.mouseLeave(screen.getByRole('alert'));
    fireEvent.focus(screen.getByRole('button', { name: 'Dismiss' }));
    act(() => vi.advanceTimersByTime(60_000));
    expect(shown()).toEqual(['Copied']);
    fireEvent.blur(screen.getByRole('button', { name: 'Dismiss' }));
    act(() => vi.advanceTimersByTime(4_000));
    expect(shown()).toEqual([]);
  });

  it('are never more than three', () => {
    act(() => ['1', '2', '3', '4', '5'].forEach(toast.error));
    expect(shown()).toEqual(['3', '4', '5']);
  });

  it('do not pile up when the same is said again', () => {
    act(() => ['Offline', 'Saved', 'Offline'].forEach(toast.error));
    expect(shown()).toEqual(['Saved', 'Offline']);
  });
});
