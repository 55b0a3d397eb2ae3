import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The measurements for the report. tools/loadtest/src/report/measured.rs describes the layout of the folder. */
export class Folder {
  hasFailures = false;
  #missing = {};

  constructor(path) {
    this.path = path;
  }

  begin(machine) {
    rmSync(this.path, { recursive: true, force: true });
    // So that the report has a run even if nothing can be measured.
    mkdirSync(join(this.path, 'run-1'), { recursive: true });
    this.#write('machine.json', machine);
    this.#write('missing.json', this.#missing);
  }

  /** The file of an outcome that a program writes itself. */
  fileOf(repeat, name) {
    mkdirSync(join(this.path, `run-${repeat}`), { recursive: true });
    return join(this.path, `run-${repeat}`, `${name}.json`);
  }

  /** The file of an outcome that is not a row itself. */
  fileAside() {
    return join(this.path, 'aside.json');
  }

  add(repeat, name, outcome) {
    writeFileSync(this.fileOf(repeat, name), JSON.stringify(outcome));
  }

  has(repeat, name) {
    return existsSync(this.fileOf(repeat, name));
  }

  outcome(repeat, name) {
    return JSON.parse(readFileSync(this.fileOf(repeat, name), 'utf8'));
  }

  /** A row that cannot be measured here. */
  leaveOut(name, reason) {
    this.#missing[name] = reason;
    this.#write('missing.json', this.#missing);
  }

  /** A row that should have been measured. The other rows are still useful. */
  fail(name, error) {
    this.#tell(name, error);
    this.#leaveOutFor(name, error);
  }

  /** A run of a row that should have been measured. Its incomplete output is not an outcome. */
  failIn(repeat, name, error) {
    rmSync(this.fileOf(repeat, name), { force: true });
    this.fail(name, error);
  }

  /** The rows of an aborted part, unless they were measured or omitted before. */
  failRest(repeat, names, error) {
    this.#tell(names.join(', '), error);
    const rest = names.filter((name) => !this.has(repeat, name) && this.#missing[name] === undefined);
    rest.forEach((name) => this.#leaveOutFor(name, error));
  }

  #tell(what, error) {
    this.hasFailures = true;
    console.error(`${what}: ${error.message}`);
  }

  #leaveOutFor(name, error) {
    this.leaveOut(name, error.message.split('\n')[0].replaceAll('|', '/'));
  }

  #write(file, content) {
    writeFileSync(join(this.path, file), JSON.stringify(content));
  }
}
