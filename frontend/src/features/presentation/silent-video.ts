const FRAMES_A_SECOND = 1;

/**
 * Plays a video without picture and sound, because browsers keep the screen on during a video. Returns a function that
 * ends it, or null if it cannot be played.
 *
 * The video is generated here, so that nothing has to be loaded. Chrome keeps the screen on for a video that fills a
 * large part of the page. Firefox does so for one with a sound track, even if that is silent and muted.
 */
export async function playSilentFilm(): Promise<(() => void) | null> {
  const film = document.createElement('video');
  const canvas = document.createElement('canvas');
  if (!('captureStream' in canvas)) {
    return null;
  }
  let drawing: ReturnType<typeof setInterval> | undefined;
  let audio: AudioContext | null = null;
  const end = () => {
    clearInterval(drawing);
    film.srcObject = null;
    film.remove();
    void audio?.close().catch(() => undefined);
  };
  try {
    const pen = canvas.getContext('2d');
    const video = canvas.captureStream(FRAMES_A_SECOND);
    audio = new AudioContext();
    const sound = audio.createMediaStreamDestination().stream;
    film.srcObject = new MediaStream([...video.getTracks(), ...sound.getTracks()]);
    film.muted = true;
    film.playsInline = true;
    film.setAttribute('aria-hidden', 'true');
    film.dataset.keepsAwake = '';
    Object.assign(film.style, {
      position: 'fixed',
      inset: '0',
      width: '100%',
      height: '100%',
      objectFit: 'fill',
      opacity: '0',
      pointerEvents: 'none',
      zIndex: '-1',
    });
    document.body.append(film);
    // The video only starts with its first frame.
    drawing = setInterval(() => pen?.fillRect(0, 0, 1, 1), 1000 / FRAMES_A_SECOND);
    pen?.fillRect(0, 0, 1, 1);
    await film.play();
    return end;
  } catch {
    end();
    return null;
  }
}
