import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { figure } from './outcome.mjs';

/** The number of ticks per second on Linux, on any machine. */
const TICKS_PER_SECOND = 100;

/** The path of process data, which only Linux has. */
export const PROC_SELF_STAT = '/proc/self/stat';

/** The memory of processes, by the names of the figures; empty if the system does not report it. */
export function memoryFigures(pids) {
  const isAvailable = existsSync(PROC_SELF_STAT);
  return isAvailable ? Object.entries(pids).map(([name, pid]) => figure(name, 'B', residentBytes(pid))) : [];
}

function residentBytes(pid) {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

/** The running children of a process. */
export function childrenOf(pid) {
  return allProcesses()
    .filter((one) => one.parent === pid)
    .map((one) => one.pid);
}

/** The processor time of a process, or of a process with its children, in seconds: in user mode, and in the kernel. */
export function processorTimeOf(pid, withChildren = false) {
  const counted = allProcesses().filter((one) => one.pid === pid || (withChildren && one.parent === pid));
  const own = counted.find((one) => one.pid === pid);
  // The process of an ended connection is counted with the parent that waited for it.
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

/** The fields of proc(5). The name, which may contain anything, is in parentheses before them. */
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
