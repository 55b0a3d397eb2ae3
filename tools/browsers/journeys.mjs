import assert from 'node:assert/strict';
import { Page } from './page.mjs';
import { makeWorld, MEETING, QUESTIONS } from './world.mjs';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const BIG_SCREEN = { width: 1920, height: 1080 };

/** Voters in all browsers at once, in one meeting whose organizer has no screen. */
export async function voterJourney(url, browsers, pictures) {
  const world = await makeWorld(url, 'voters', browsers.length);
  const voters = await Promise.all(
    browsers.map(async (browser, index) => {
      const page = new Page(await browser.open(PHONE), `A voter in ${browser.name}`);
      return { page, person: world.people[index], picture: pictures(page, `${browser.name}-voter`) };
    }),
  );
  await world.start();
  await together(voters, async ({ page, person, picture }) => {
    await joinMeeting(page, world, person);
    await picture('waiting');
  });
  for (const [index, question] of QUESTIONS.entries()) {
    await world.ask(index);
    await together(voters, (voter) => vote(voter, question, index));
    await world.ask(null);
    await together(voters, ({ page }) => page.see('Waiting for Next Question'));
  }
  assert.deepEqual(await world.votes(), QUESTIONS.map(() => browsers.length));
  await world.end();
  await together(voters, async ({ page, picture }) => {
    await page.see('Meeting Completed');
    for (const { shown } of QUESTIONS) {
      await page.see(shown);
    }
    await picture('completed');
  });
}

/** A whole meeting in one browser: the organizer's control view, the presentation and a voter. */
export async function meetingJourney(url, browser, pictures) {
  const world = await makeWorld(url, `meeting-${browser.name.toLowerCase()}`, 1);
  const open = async (size, who) => {
    const page = new Page(await browser.open(size), `${who} in ${browser.name}`);
    return { page, picture: pictures(page, `${browser.name}-${who}`) };
  };
  const organizer = await open(DESKTOP, 'organizer');
  const presentation = await open(BIG_SCREEN, 'presentation');
  const voter = { ...(await open(PHONE, 'voter')), person: world.people[0] };

  await organizer.page.goto(`${url}/client/login`);
  await organizer.picture('sign-in');
  await organizer.page.fill('Email Address', world.organizer.email);
  await organizer.page.fill('Password', world.organizer.password);
  await organizer.page.press('button', 'Sign In to Dashboard');
  await organizer.page.address('/client');
  await organizer.page.see('Dashboard');
  await organizer.picture('dashboard');
  await organizer.page.goto(`${url}/client/meetings`);
  await organizer.page.see(MEETING);
  await organizer.picture('meetings');
  await organizer.page.goto(`${url}/client/meetings/${world.meetingId}/questions`);
  await organizer.page.see(QUESTIONS[4].body.questionText);
  await organizer.picture('questions');
  await organizer.page.goto(`${url}/client/meetings/${world.meetingId}/control`);
  await presentation.page.goto(`${url}/presentation/meeting/${world.meetingId}`);
  await presentation.page.see('Meeting Not Active');
  await organizer.page.press('button', 'Start Meeting');
  await presentation.page.see('Waiting for Question');
  await presentation.picture('waiting');
  await joinMeeting(voter.page, world, voter.person);

  for (const [index, question] of QUESTIONS.entries()) {
    if (index > 0) {
      await organizer.page.press('button', 'Next');
      await organizer.page.see(`Question Control - ${index + 1} of ${QUESTIONS.length}`);
    }
    await organizer.page.press('button', 'Start Question');
    await presentation.page.see(question.body.questionText);
    await presentation.page.see('0 of 1');
    await presentation.picture(`question-${index + 1}`);
    await organizer.picture(`question-${index + 1}`);
    await vote(voter, question, index);
    await presentation.page.see('1 of 1');
    await organizer.page.press('button', 'End Question');
    await organizer.page.see('1 of 1 voted');
    await organizer.picture(`result-${index + 1}`);
    if (index === 0) {
      await declare(organizer, presentation);
    }
  }
  await organizer.page.press('button', 'End Meeting');
  await organizer.page.press('button of the dialog', 'End Meeting');
  await organizer.page.see('The meeting has ended');
  await presentation.page.see('Meeting Completed');
  await voter.page.see('Meeting Completed');
  await organizer.page.goto(`${url}/client/meetings/${world.meetingId}/results`);
  await organizer.page.see(QUESTIONS[0].body.questionText);
  await organizer.picture('results');
}

async function declare(organizer, presentation) {
  await organizer.page.press('button', 'Declare result');
  await organizer.page.see('Declare the result of question 1?');
  await organizer.picture('declare');
  await organizer.page.press('button of the dialog', 'Declare result');
  await organizer.page.see('Declared at');
  await organizer.picture('declared');
  await presentation.picture('declared');
}

async function joinMeeting(page, world, person) {
  await page.goto(`${world.url}/participant/login/${world.code}`);
  await page.fill('Username', person.username);
  await page.fill('Password', person.password);
  await page.press('button', 'Sign In');
  await page.see(MEETING);
  await page.press('link', 'Join Meeting');
  await page.see('Waiting for');
}

async function vote({ page, picture }, { body, answer }, index) {
  await page.see(body.questionText);
  await picture(`ballot-${index + 1}`);
  await answer(page);
  await picture(`chosen-${index + 1}`);
  await page.press('button', 'Submit Vote');
  await page.see('Your vote is stored');
}

/** Waits for all, then reports the first failure. */
async function together(voters, step) {
  const outcomes = await Promise.allSettled(voters.map(step));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) {
    throw failed.reason;
  }
}
