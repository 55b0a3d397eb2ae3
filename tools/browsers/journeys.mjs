import assert from 'node:assert/strict';
import { Page } from './page.mjs';
import { makeWorld, MEETING, QUESTIONS } from './world.mjs';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };
const WALL = { width: 1920, height: 1080 };

/** Voters in all browsers at once, in one meeting whose organizer has no screen. */
export async function voterJourney(url, browsers, pictures) {
  const world = await makeWorld(url, 'voters', browsers.length);
  const seats = await Promise.all(
    browsers.map(async (browser, index) => {
      const page = new Page(await browser.open(PHONE), `A voter in ${browser.name}`);
      return { page, person: world.people[index], picture: pictures(page, `${browser.name}-voter`) };
    }),
  );
  await world.start();
  await together(seats, async ({ page, person, picture }) => {
    await takeSeat(page, world, person);
    await picture('waiting');
  });
  for (const [index, question] of QUESTIONS.entries()) {
    await world.ask(index);
    await together(seats, (seat) => vote(seat, question, index));
    await world.ask(null);
    await together(seats, ({ page }) => page.see('Waiting for Next Question'));
  }
  assert.deepEqual(await world.votes(), QUESTIONS.map(() => browsers.length));
  await world.end();
  await together(seats, async ({ page, picture }) => {
    await page.see('Meeting Completed');
    for (const { shown } of QUESTIONS) {
      await page.see(shown);
    }
    await picture('completed');
  });
}

/** A whole meeting in one browser: the organizer's desk, the presentation and a voter. */
export async function meetingJourney(url, browser, pictures) {
  const world = await makeWorld(url, `meeting-${browser.name.toLowerCase()}`, 1);
  const open = async (size, who) => {
    const page = new Page(await browser.open(size), `${who} in ${browser.name}`);
    return { page, picture: pictures(page, `${browser.name}-${who}`) };
  };
  const desk = await open(DESK, 'organizer');
  const wall = await open(WALL, 'presentation');
  const seat = { ...(await open(PHONE, 'voter')), person: world.people[0] };

  await desk.page.goto(`${url}/client/login`);
  await desk.picture('sign-in');
  await desk.page.fill('Email Address', world.organizer.email);
  await desk.page.fill('Password', world.organizer.password);
  await desk.page.press('button', 'Sign In to Dashboard');
  await desk.page.address('/client');
  await desk.page.see('Dashboard');
  await desk.picture('dashboard');
  await desk.page.goto(`${url}/client/meetings`);
  await desk.page.see(MEETING);
  await desk.picture('meetings');
  await desk.page.goto(`${url}/client/meetings/${world.meetingId}/questions`);
  await desk.page.see(QUESTIONS[4].body.questionText);
  await desk.picture('questions');
  await desk.page.goto(`${url}/client/meetings/${world.meetingId}/control`);
  await wall.page.goto(`${url}/presentation/meeting/${world.meetingId}`);
  await wall.page.see('Meeting Not Active');
  await desk.page.press('button', 'Start Meeting');
  await wall.page.see('Waiting for Question');
  await wall.picture('waiting');
  await takeSeat(seat.page, world, seat.person);

  for (const [index, question] of QUESTIONS.entries()) {
    if (index > 0) {
      await desk.page.press('button', 'Next');
      await desk.page.see(`Question Control - ${index + 1} of ${QUESTIONS.length}`);
    }
    await desk.page.press('button', 'Start Question');
    await wall.page.see(question.body.questionText);
    await wall.page.see('0 of 1');
    await wall.picture(`question-${index + 1}`);
    await desk.picture(`question-${index + 1}`);
    await vote(seat, question, index);
    await wall.page.see('1 of 1');
    await desk.page.press('button', 'End Question');
    await desk.page.see('1 of 1 voted');
    await desk.picture(`result-${index + 1}`);
    if (index === 0) {
      await declare(desk, wall);
    }
  }
  await desk.page.press('button', 'End Meeting');
  await desk.page.press('button of the dialog', 'End Meeting');
  await desk.page.see('The meeting has ended');
  await wall.page.see('Meeting Completed');
  await seat.page.see('Meeting Completed');
  await desk.page.goto(`${url}/client/meetings/${world.meetingId}/results`);
  await desk.page.see(QUESTIONS[0].body.questionText);
  await desk.picture('results');
}

async function declare(desk, wall) {
  await desk.page.press('button', 'Declare result');
  await desk.page.see('Declare the result of question 1?');
  await desk.picture('declare');
  await desk.page.press('button of the dialog', 'Declare result');
  await desk.page.see('Declared at');
  await desk.picture('declared');
  await wall.picture('declared');
}

async function takeSeat(page, world, person) {
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

/** The first that fails says why, when all have come to an end. */
async function together(seats, step) {
  const outcomes = await Promise.allSettled(seats.map(step));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) {
    throw failed.reason;
  }
}
