/** The workflows of `collab init --ci`: one for pull requests, one for commands in their comments. */
import { version } from '../../version.ts';

/** The version of Codex that collab is tested with. */
const codexVersion = '0.169.0';

/** The version of Claude Code that collab is tested with. */
const claudeVersion = '2.1.330';

const setUpNode = `      - uses: actions/setup-node@v4
        with:
          node-version: 22`;

/** The machine of a job with the change: checked out with a token that reads, which is not kept. `ref` is an expression. */
function beginOn(ref: string): string {
  return `    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ ${ref} }} # the head itself, not a merge of it: comments belong to it
          fetch-depth: 0 # the merge base is needed
          persist-credentials: false`;
}

/** The steps of a review; `head` and `base` are expressions, in the environment only. */
function reviewSteps(head: string, base: string): string {
  return `${beginOn(head)}
${setUpNode}
      - run: npm install --global @openai/codex@${codexVersion} codex-collab@${version}
      - name: Review
        env:
          BASE: \${{ ${base} }}
          CODEX_API_KEY: \${{ secrets.CODEX_API_KEY }}
        run: >-
          collab review "$BASE...HEAD" --fail-on critical
          --report json="$RUNNER_TEMP/review.json"
      - name: Show the review
        if: always()
        run: collab report "$RUNNER_TEMP/review.json" --format github
      - name: Keep the review
        if: always()
        uses: actions/upload-artifact@v4
        with:
          name: collab-review
          path: \${{ runner.temp }}/review.json
          retention-days: 7
      - name: Only a model's review counts
        run: collab gate "$RUNNER_TEMP/review.json" --fail-on critical --require model
`;
}

/** `pull` is the expression with the address of the pull request's page. */
function publishSteps(pull: string): string {
  return `    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      pull-requests: write # the comments
      checks: write # the proof that the review reached the pull request
    steps:
      - uses: actions/download-artifact@v4
        with:
          name: collab-review
${setUpNode}
      - run: npm install --global codex-collab@${version}
      - name: Publish
        env:
          GITHUB_TOKEN: \${{ github.token }}
          COLLAB_CACHE_KEY: \${{ secrets.COLLAB_CACHE_KEY }} # optional: any long random word, with which our comments are signed
          PULL_REQUEST: \${{ ${pull} }}
        run: collab publish review.json "$PULL_REQUEST"
`;
}

/** `.github/workflows/collab.yml` */
export const ciWorkflow = `# Written by collab init --ci: Codex reviews every pull request, and the findings become comments on its lines.
# It needs the secret CODEX_API_KEY. A pull request from a fork gets no secrets and no comments: there the step ends with 4, "not reviewed".
name: collab
on: pull_request

permissions: {}

concurrency: # a newer head stops the older review
  group: collab-\${{ github.event.pull_request.number }}
  cancel-in-progress: true

jobs:
  review:
${reviewSteps('github.event.pull_request.head.sha', 'github.event.pull_request.base.sha')}
  # A job of its own: the token that writes comments is not where the change is.
  publish:
    needs: review
    if: '!cancelled() && github.event.pull_request.head.repo.full_name == github.repository'
${publishSteps('github.event.pull_request.html_url')}`;

/** `.github/workflows/collab-comments.yml` */
export const commentsWorkflow = `# Written by collab init --ci: carries out /collab review, /collab dismiss <number> <reason> and /collab fix <number>, in the first line of
# a comment on a pull request by people who may write to this repository. GitHub runs this file as it is on the default branch.
# It needs the secret CODEX_API_KEY, and ANTHROPIC_API_KEY for fixes. /collab review also reviews a pull request from a fork: look at it
# before you ask for it. There are no fixes for forks.
name: collab comments
on:
  issue_comment:
    types: [created]

permissions: {}

jobs:
  # It reads the comment again, and the permission of its author: this condition only saves runs.
  command:
    if: github.event.issue.pull_request && startsWith(github.event.comment.body, '/collab')
    runs-on: ubuntu-latest
    timeout-minutes: 10
    concurrency: # of one comment
      group: collab-comment-\${{ github.event.comment.id }}
    permissions:
      pull-requests: write # the answer
    outputs:
      action: \${{ steps.command.outputs.action }}
      base: \${{ steps.command.outputs.base }}
      head: \${{ steps.command.outputs.head }}
      finding: \${{ steps.command.outputs.finding }}
    steps:
${setUpNode}
      - run: npm install --global codex-collab@${version}
      - name: Command
        id: command
        env:
          GITHUB_TOKEN: \${{ github.token }}
          COLLAB_CACHE_KEY: \${{ secrets.COLLAB_CACHE_KEY }}
          PULL_REQUEST: \${{ github.event.issue.pull_request.html_url }}
          COMMENT: \${{ github.event.comment.id }}
        run: >-
          collab comment "$PULL_REQUEST" "$COMMENT" --output "$GITHUB_OUTPUT"
          --finding "$RUNNER_TEMP/finding.json"
      - if: steps.command.outputs.action == 'fix'
        uses: actions/upload-artifact@v4
        with:
          name: collab-finding
          path: \${{ runner.temp }}/finding.json
          retention-days: 7

  review:
    needs: command
    if: needs.command.outputs.action == 'review'
    concurrency: # a newer review stops the older one
      group: collab-\${{ github.event.issue.number }}
      cancel-in-progress: true
${reviewSteps('needs.command.outputs.head', 'needs.command.outputs.base')}
  publish:
    needs: [command, review]
    if: "!cancelled() && needs.command.outputs.action == 'review'"
${publishSteps('github.event.issue.pull_request.html_url')}
  # It has the change and the keys of the agents, and no token that writes. The agents edit a copy; nothing of the change is executed.
  fix:
    needs: command
    if: needs.command.outputs.action == 'fix'
${beginOn('needs.command.outputs.head')}
      - uses: actions/download-artifact@v4
        with:
          name: collab-finding
          path: \${{ runner.temp }}
${setUpNode}
      - run: npm install --global @anthropic-ai/claude-code@${claudeVersion} @openai/codex@${codexVersion} codex-collab@${version}
      - name: Fix
        env:
          BASE: \${{ needs.command.outputs.base }}
          FINDING: \${{ needs.command.outputs.finding }}
          CODEX_API_KEY: \${{ secrets.CODEX_API_KEY }}
          ANTHROPIC_API_KEY: \${{ secrets.ANTHROPIC_API_KEY }}
        run: >-
          collab fix --from "$RUNNER_TEMP/finding.json" "$FINDING" --lead claude_code --yes --config-from "$BASE"
          --result "$RUNNER_TEMP/fix.json"
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: collab-fix
          path: \${{ runner.temp }}/fix.json
          if-no-files-found: ignore
          retention-days: 7

  # It checks the result of the job above as data, and has no file of the change.
  publish_fix:
    needs: [command, fix]
    if: "!cancelled() && needs.command.outputs.action == 'fix'"
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      pull-requests: write # the suggestion, or the answer
      contents: write # the branch collab/fix-...
    steps:
      - uses: actions/download-artifact@v4
        continue-on-error: true # the answer says that there is no result
        with:
          name: collab-fix
${setUpNode}
      - run: npm install --global codex-collab@${version}
      - name: Publish the fix
        env:
          GITHUB_TOKEN: \${{ github.token }}
          COLLAB_CACHE_KEY: \${{ secrets.COLLAB_CACHE_KEY }}
          PULL_REQUEST: \${{ github.event.issue.pull_request.html_url }}
          COMMENT: \${{ github.event.comment.id }}
        run: collab comment "$PULL_REQUEST" "$COMMENT" --fix fix.json
`;
