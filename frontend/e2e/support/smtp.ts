import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface CaughtMail {
  to: string;
  /** Header and body as received. */
  content: string;
}

/** A mail server that delivers no mail and keeps the received messages. */
export class FakeMailServer {
  readonly #server: Server;
  readonly mails: CaughtMail[] = [];
  /** The addresses that it refuses. */
  readonly refused = new Set<string>();

  private constructor() {
    this.#server = createServer((socket) => this.#talk(socket));
  }

  static async start(): Promise<FakeMailServer> {
    const fake = new FakeMailServer();
    await new Promise<void>((done) => fake.#server.listen(0, '127.0.0.1', done));
    return fake;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  mailsTo(address: string): CaughtMail[] {
    return this.mails.filter(({ to }) => to === address);
  }

  /** The text of a mail to this address, the last one by default. Mail wraps long lines. */
  textTo(address: string, index = -1): string {
    return (this.mailsTo(address).at(index)?.content ?? '').replace(/=\r?\n/g, '');
  }

  stop(): void {
    this.#server.close();
  }

  #talk(socket: Socket): void {
    const say = (line: string) => socket.write(`${line}\r\n`);
    let to = '';
    let content: string[] | null = null;
    // A client may disconnect in the middle.
    socket.on('error', () => undefined);
    say('220 fake.test');
    createInterface({ input: socket }).on('line', (line) => {
      if (content !== null) {
        if (line === '.') {
          this.mails.push({ to, content: content.join('\n') });
          content = null;
          say('250 taken');
        } else {
          content.push(line);
        }
        return;
      }
      const command = line.slice(0, 4).toUpperCase();
      if (command === 'RCPT') {
        to = /<([^>]*)>/.exec(line)?.[1] ?? '';
        say(this.refused.has(to) ? '550 5.1.1 no such mailbox' : '250 ok');
      } else if (command === 'DATA') {
        content = [];
        say('354 go on');
      } else if (command === 'QUIT') {
        say('221 bye');
        socket.end();
      } else {
        say('250 ok');
      }
    });
  }
}
