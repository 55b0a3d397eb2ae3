import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const EVERY_MS = 100;
/** The screenshot of a failed wait. */
const FAILED = 'target/browsers/failed.png';

/** The actions of a person on a screen, with the browser's real pointer and keyboard. */
export class Page {
  #screen;
  #name;

  constructor(screen, name) {
    this.#screen = screen;
    this.#name = name;
  }

  goto(url) {
    return this.#screen.goto(url);
  }

  picture(path) {
    return this.#screen.picture(path);
  }

  /** Waits for a text. */
  async see(text) {
    await this.#until(`that "${text}" is seen`, seen, text);
  }

  async address(part) {
    await this.#until(`that the address has ${part}`, at, part);
  }

  /** Presses the control with a name. Of several the last, which is on top. */
  async press(role, name) {
    const find = () => this.#until(`that ${role} "${name}" can be pressed`, placeOf, role, name);
    let place = await find();
    // A moving control would be elsewhere at the time of the click.
    for (let before = null; before?.x !== place.x || before.y !== place.y; ) {
      before = place;
      await sleep(EVERY_MS);
      place = await find();
    }
    await this.#screen.clickAt(place);
  }

  /** Chooses a radio button or a checkbox, and checks that it is chosen. */
  async choose(role, name) {
    await this.press(role, name);
    await this.#until(`that ${role} "${name}" is chosen`, isChosen, role, name);
  }

  async fill(label, text) {
    await this.press('field', label);
    await this.#until(`that the field "${label}" has the focus`, hasFocus, label);
    await this.#screen.type(text);
    await this.#until(`that the field "${label}" holds what was typed`, holds, label, text);
  }

  /** Whether the control exists. */
  async isThere(role, name) {
    return (await this.#screen.evaluate(called(placeOf, role, name))) !== null;
  }

  async #until(wish, script, ...values) {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      // During a navigation, scripts cannot run.
      const found = await this.#screen.evaluate(called(script, ...values)).catch((error) => {
        if (Date.now() > end) {
          throw error;
        }
        return null;
      });
      if (found) {
        return found;
      }
      if (Date.now() > end) {
        const body = await this.#screen.evaluate('document.body.innerText.slice(0, 2000)');
        await mkdir(dirname(FAILED), { recursive: true });
        await this.picture(FAILED);
        throw new Error(`${this.#name}: timed out waiting ${wish}; see ${FAILED}. The page says:\n${body}`);
      }
      await sleep(EVERY_MS);
    }
  }
}

/** Serializes a script with the functions that it calls. */
function called(script, ...values) {
  const helpers = [isShown, nameOf, elementsOf].join('\n');
  return `(() => { ${helpers}\nreturn (${script})(...${JSON.stringify(values)}); })()`;
}

/* The functions below run in the browser. */

function isShown(element) {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden';
}

function nameOf(element) {
  const described = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id));
  const parts = [...described, ...(element.labels ?? [])];
  const labels = parts.map((part) => part?.innerText || part?.textContent || '').join(' ');
  const name = element.getAttribute('aria-label') ?? (labels || element.innerText || '');
  return name.replace(/\s+/g, ' ').replace(/ \*$/, '').trim();
}

function elementsOf(role, name) {
  const selectors = {
    button: 'button, [role="button"]',
    'button of the dialog': ':is([role="dialog"], [role="alertdialog"]) button',
    link: 'a[href]',
    radio: 'input[type="radio"]',
    checkbox: 'input[type="checkbox"]',
    field: 'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea',
  };
  return [...document.querySelectorAll(selectors[role])].filter((element) => nameOf(element).startsWith(name));
}

function placeOf(role, name) {
  // Voters see the label. The button in it is hidden.
  const targets = elementsOf(role, name)
    .filter((element) => !element.matches(':disabled, [aria-disabled="true"]'))
    .map((element) => (/^(radio|checkbox)$/.test(role) ? element.labels?.[0] : element));
  const target = targets.filter((element) => element && isShown(element)).at(-1);
  if (!target) {
    return null;
  }
  target.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = target.getBoundingClientRect();
  const place = { x: left + width / 2, y: top + height / 2 };
  const hit = document.elementFromPoint(place.x, place.y);
  return target.contains(hit) ? place : null;
}

function isChosen(role, name) {
  return elementsOf(role, name).some((element) => element.checked);
}

function hasFocus(label) {
  return elementsOf('field', label).includes(document.activeElement);
}

function holds(label, text) {
  return elementsOf('field', label).some(({ value }) => value === text);
}

function seen(text) {
  return document.body.innerText.replace(/\s+/g, ' ').includes(text);
}

function at(part) {
  return location.href.includes(part);
}
