/** As told-whatever-slack-answers.test.ts, for answers that are not kept, and what an approval moves on. */
import { ANSWERS } from '../support/told-scenarios.ts';
import { describeTold } from '../support/told-tests.ts';

describeTold('an answer', Object.entries(ANSWERS));
