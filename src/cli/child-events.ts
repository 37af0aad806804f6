import { seconds } from '../domain/story.js';
import type { ChildEvent } from '../runtime/process/supervisor.js';

/** `worker died (SIGKILL) after 12.1 s` */
export function tellChildEvent(event: ChildEvent): string {
  const how = event.signal ?? `exit ${event.code}`;
  switch (event.what) {
    case 'died':
      return `${event.name} died (${how}) after ${seconds(event.afterMs)}; starting it again`;
    case 'restarted':
      return `${event.name} is back, ${seconds(event.afterMs)} after its death`;
    case 'gave-up':
      return `${event.name} keeps dying (${how}) and is left alone; see its log`;
  }
}
