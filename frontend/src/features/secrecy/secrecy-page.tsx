import { IconArrowLeft } from '@tabler/icons-react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../shared/paths';
import { TextLink } from '../../shared/ui/text-link';
import { Wordmark } from '../../shared/ui/wordmark';
import classes from './secrecy-page.module.css';

/** Explains the levels of secrecy of a vote to voters and organizers. It needs no sign-in. */
export function SecrecyPage() {
  return (
    <div className={classes.root}>
      <title>Secret from whom · Plenum</title>
      <header className={classes.header}>
        <Wordmark size={24} />
        <BackButton />
      </header>
      <main className={classes.main}>
        <h1 className={classes.title}>Secret from whom</h1>
        <p>
          The organizer chooses one of three levels for each question before it opens. The level cannot change
          while people vote, and the ballot says which one it is.
        </p>
        <dl className={classes.levels}>
          <dt>Named</dt>
          <dd>The results and the exports show how each person voted.</dd>
          <dt>Not shown</dt>
          <dd>
            Nobody is shown how a person voted. The operator’s database has it, because each vote is stored
            with its voter.
          </dd>
          <dt>Secret</dt>
          <dd>
            Your ballot is sealed before it is stored. After voting, all ballots are opened once and together,
            and only the totals are kept. The sealed ballots and the key are deleted.
          </dd>
        </dl>
        <Comparison />
        <h2 className={classes.heading}>What a secret vote cannot hide</h2>
        <p>
          The totals are published. If few people vote, or if a weight occurs only once, a vote may be
          inferred from them. The organizer is warned of that before the vote opens.
        </p>
        <h2 className={classes.heading}>Your receipt</h2>
        <p>
          After handing in a secret ballot you get a code of 16 letters. When the result is declared, the
          codes of all ballots are published. If yours is among them, your ballot was in the urn. The code
          does not show how you voted.
        </p>
        <p>
          <TextLink to={paths.home}>To the start page</TextLink>
        </p>
      </main>
    </div>
  );
}

/** Back to the ballot, whose choice is kept. Nothing without a page before this one. */
function BackButton() {
  const navigate = useNavigate();
  const { key } = useLocation();
  return key === 'default' ? null : (
    <button type="button" className={classes.back} onClick={() => void navigate(-1)}>
      <IconArrowLeft size={20} stroke={1.75} aria-hidden="true" />
      Back
    </button>
  );
}

const ROWS: { from: string; unshown: boolean; secret: boolean }[] = [
  {
    from: 'Other voters, the presentation, organizers and super administrators, as long as they use the product',
    unshown: true,
    secret: true,
  },
  {
    from: 'Somebody who gets a backup, a disk or a copy of the database after the count',
    unshown: false,
    secret: true,
  },
  {
    from: 'Somebody who reads the database while voting is open, without the key file',
    unshown: false,
    secret: true,
  },
  {
    from: 'The administrator of the server during the vote, somebody who changes its database, or a program that was changed',
    unshown: false,
    secret: false,
  },
  {
    from: 'Somebody beside you while you vote, or a person who pays for a vote',
    unshown: false,
    secret: false,
  },
];

function Comparison() {
  return (
    <table className={classes.table}>
      <caption className={classes.heading}>Who cannot learn how you voted</caption>
      <thead>
        <tr>
          <th scope="col">Secret from</th>
          <th scope="col">Not shown</th>
          <th scope="col">Secret</th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ from, unshown, secret }) => (
          <tr key={from}>
            <th scope="row">{from}</th>
            <td>{unshown ? 'Yes' : 'No'}</td>
            <td>{secret ? 'Yes' : 'No'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
