/** The workflows of the bundle. */
export { budget } from './budget.js';
export { desk } from './desk.js';
export { notice } from './notice.js';
export { patrol } from './patrol.js';
export { ticket } from './ticket/ticket.js';
