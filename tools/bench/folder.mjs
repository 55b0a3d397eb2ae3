import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is measured, for the report: crates/load/src/report/measured.rs says how it lies there. */
export class Folder {
  hasFailures = false;
  #missing = {};

  constructor(path) {
    this.path = path;
  }

  begin(machine) {
    rmSync(this.path, { recursive: true, force: true });
    mkdirSync(this.path, { recursive: true });
    this.#write('machine.json', machine);
    this.#write('missing.json', this.#missing);
  }

  /** Where an outcome goes that a program writes by itself. */
  fileOf(repeat, name) {
    mkdirSync(join(this.path, `run-${repeat}`), { recursive: true });
    return join(this.path, `run-${repeat}`, `${name}.json`);
  }

  /** Where an outcome goes that is no row by itself. */
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

  /** A row that should have been measured. The others are worth something all the same. */
  fail(name, error) {
    this.hasFailures = true;
    console.error(`${name}: ${error.message}`);
    this.leaveOut(name, error.message.split('\n')[0].replaceAll('|', '/'));
  }

  #write(file, content) {
    writeFileSync(join(this.path, file), JSON.stringify(content));
  }
}
