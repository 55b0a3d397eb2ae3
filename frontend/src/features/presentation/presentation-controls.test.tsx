import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeEventSource, installFakeEventSource } from '../../test/fake-event-source';
import { MEETING_ID, presentationState, timed } from '../../test/live-samples';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

installFakeEventSource();

const enter = vi.fn(async () => setFullElement(document.documentElement));
const leave = vi.fn(async () => setFullElement(null));
const lock = { release: vi.fn(async () => undefined) };
const askForLock = vi.fn(async () => lock);

function setFullElement(element: Element | null): void {
  Object.defineProperty(document, 'fullscreenElement', { value: element, configurable: true });
  act(() => void document.dispatchEvent(new Event('fullscreenchange')));
}

beforeEach(() => {
  vi.clearAllMocks();
  Object.defineProperty(document, 'fullscreenEnabled', { value: true, configurable: true });
  Object.defineProperty(document, 'fullscreenElement', { value: null, configurable: true });
  document.documentElement.requestFullscreen = enter;
  document.exitFullscreen = leave;
  Object.defineProperty(navigator, 'wakeLock', { value: { request: askForLock }, configurable: true });
  server.use(
    http.get('/public/meetings/{meetingId}/presentation', ({ response }) =>
      response(200).json(timed(presentationState())),
    ),
  );
});

afterEach(() => {
  Reflect.deleteProperty(navigator, 'wakeLock');
});

async function showPresentation() {
  const app = await renderApp(`/presentation/meeting/${MEETING_ID}`);
  await waitFor(() => expect(FakeEventSource.all).toHaveLength(1));
  act(() => FakeEventSource.latest.send('connected', presentationState(), 10));
  await screen.findByRole('region', { name: 'Screen' });
  return app;
}

describe('full screen', () => {
  it('comes and goes with one key, and the hint says so', async () => {
    const { user } = await showPresentation();
    expect(screen.getByText('Press F for full screen')).toBeInTheDocument();
    await user.keyboard('f');
    expect(enter).toHaveBeenCalledTimes(1);
    expect(await screen.findByText('Press Escape to leave full screen')).toBeInTheDocument();
    await user.keyboard('F');
    expect(leave).toHaveBeenCalledTimes(1);
  });

  it('comes with the button, too', async () => {
    const { user } = await showPresentation();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Full screen' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(enter).toHaveBeenCalledTimes(1);
    expect(await screen.findByRole('button', { name: 'Leave full screen' })).toBeInTheDocument();
  });

  it.each([
    [{ key: 'f', code: 'KeyF', ctrlKey: true }, 0],
    [{ key: 'f', code: 'KeyF', repeat: true }, 0],
    [{ key: 'u', code: 'KeyF' }, 0],
    [{ key: 'а', code: 'KeyF' }, 1],
  ])('knows its key: %o', async (key, times) => {
    await showPresentation();
    fireEvent.keyDown(window, key);
    expect(enter).toHaveBeenCalledTimes(times);
  });

  it('is not offered where the browser has none', async () => {
    Object.defineProperty(document, 'fullscreenEnabled', { value: false, configurable: true });
    const { user } = await showPresentation();
    expect(screen.queryByRole('button', { name: 'Full screen' })).not.toBeInTheDocument();
    await user.keyboard('f');
    expect(enter).not.toHaveBeenCalled();
  });
});

describe('the laptop at the projector', () => {
  it('is kept awake for as long as the page is open', async () => {
    await showPresentation();
    expect(askForLock).toHaveBeenCalledWith('screen');
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(askForLock.mock.calls.length).toBeGreaterThan(1));
  });

  it('may go without', async () => {
    askForLock.mockRejectedValueOnce(new DOMException('The battery is low', 'NotAllowedError'));
    await showPresentation();
    expect(screen.getByRole('heading', { name: 'Waiting for Question' })).toBeInTheDocument();
  });
});

it('turns dark, and light again', async () => {
  const { user } = await showPresentation();
  await user.click(screen.getByRole('button', { name: 'Dark' }));
  expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await user.click(screen.getByRole('button', { name: 'Light' }));
  expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'light');
});
