import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { figure } from './outcome.mjs';

/** How many of its ticks Linux puts into a second, wherever it runs. */
const TICKS_PER_SECOND = 100;

/** Where the system tells what a process uses: Linux. */
export const TOLD_OF_PROCESSES = '/proc/self/stat';

/** How much memory processes hold, by the names of the figures; nothing where the system does not tell. */
export function memoryFigures(pids) {
  const isTold = existsSync(TOLD_OF_PROCESSES);
  return isTold ? Object.entries(pids).map(([name, pid]) => figure(name, 'B', residentBytes(pid))) : [];
}

function residentBytes(pid) {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

/** The processes that a process started, and that still run. */
export function childrenOf(pid) {
  return allProcesses()
    .filter((one) => one.parent === pid)
    .map((one) => one.pid);
}

/** The seconds of processor time that a process, or a process with its children, has used: by itself, and in the kernel. */
export function processorTimeOf(pid, withChildren = false) {
  const counted = allProcesses().filter((one) => one.pid === pid || (withChildren && one.parent === pid));
  const own = counted.find((one) => one.pid === pid);
  // A connection's process that has ended meanwhile is counted with whoever waited for it.
  const ended = withChildren && own ? own.ended : { user: 0, system: 0 };
  return {
    user: sum(counted.map((one) => one.user)) + ended.user,
    system: sum(counted.map((one) => one.system)) + ended.system,
  };
}

function allProcesses() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      return [parse(Number(pid), readFileSync(`/proc/${pid}/stat`, 'utf8'))];
    } catch {
      // It has ended since the folder was read.
      return [];
    }
  });
}

/** Fields as in proc(5); the name, which may hold anything, stands in parentheses before them. */
function parse(pid, stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const seconds = (place) => Number(fields[place - 3]) / TICKS_PER_SECOND;
  return {
    pid,
    parent: Number(fields[1]),
    user: seconds(14),
    system: seconds(15),
    ended: { user: seconds(16), system: seconds(17) },
  };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
