/** What `parapet accuracy --help` says. A test holds it against the flags that there are. */
import { LABELS } from 'parapet/engine';
import { PEER_NAMES } from './peers/peer.js';

export const HELP = `Usage: npx parapet accuracy --input FILE --text-column C [--label-column C] ...

Input
  --input FILE          .csv, .tsv or .jsonl, each also .gz; UTF-8
  --text-column C       the column with the texts
  --label-column [K=]C  the column with the truth; without it the texts are only judged. May be given
                        again for other kinds of label: --label-column insult=rude
  --label-kind K        what the truth is about, where the column does not say: toxicity (the default),
                        sentiment, ${LABELS.slice(1, 5).join(', ')},
                        ${LABELS.slice(5).join(', ')}
  --positive V          the label of positive rows; without it 1, true and numbers from 0.5 on
  --group-column C      the column that says whom a text is about: figures for each group
  --group-separator S   what stands between several groups in one cell
  --no-header           the first line is a row; columns are called 0, 1, 2, ...
  --delimiter D         the character between fields, where it is not the comma of .csv or the tab of .tsv
  --quoted              fields of a .tsv may stand in double quotes, as in a .csv
  --limit N             judge the first N rows only

Output
  --html FILE           a report to look at: curves, histogram, calibration, groups, the worst mistakes
  --json FILE           the figures for machines
  --predictions FILE    one JSON object a row, in the order of the input
  --compare OLD.json    say what got better or worse, beyond noise, since an earlier --json file
  --fit-threshold T     find the threshold for f1, precision=P or recall=R on these rows
  --perspective-column [K=]C
                        the column with scores of the Perspective API: which thresholds of ours stand for
                        its 0.5 to 0.9; of toxicity, or as in insult=C
  --peer NAME           another judge on the same rows, in one table with its speed; may be given again.
                        Install it where the command runs: ${PEER_NAMES.slice(0, 3).join(', ')}
                        (npm), ${PEER_NAMES.slice(3).join(', ')} (PyPI)
  --python P            the Python that has the peers of PyPI (python3)

How
  --url U --key K       judge by a running service; the key may be in PARAPET_KEY instead
  --bootstrap N         resample the rows N times for the intervals; 0 for no intervals
  --seed N              what the resampling begins with (1 where it is not given)

Without --url the model runs in this process: MODEL_DIR, INFERENCE_THREADS, PASS_MAX_SCORE,
BLOCK_CATEGORIES and UNREADABLE apply as they do to the service. Exit status: 0; 3 when --compare finds something worse;
2 with the reason on standard error.
`;
