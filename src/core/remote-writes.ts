/**
 * Commands that change something outside of the repository, told by their words: a repeated one happens twice.
 * A guess from names: a script hides what it does, and a word can mean less than it says. Only hints rest on it.
 */
import { base, simpleCommands } from "./guard/shell-words.js";

interface Rule {
  program: RegExp;
  /** Tested against the words behind the program, joined by spaces. */
  words: RegExp;
  what: string;
}

const PUBLISH = "publishes a package";
const RULES: readonly Rule[] = [
  {
    program: /^curl$/,
    words: /(?:^| )(?:-X ?|--request[ =])(?:POST|PUT|PATCH|DELETE)\b|(?:^| )(?:-d|--data(?:-\w+)?|--json|-F|--form|-T|--upload-file)\b/,
    what: "sends data to a server",
  },
  { program: /^wget$/, words: /--(?:post-(?:data|file)|method[ =](?:POST|PUT|PATCH|DELETE)|body-(?:data|file))\b/, what: "sends data to a server" },
  { program: /^(?:http|https|xh)$/, words: /(?:^| )(?:POST|PUT|PATCH|DELETE) /, what: "sends data to a server" },
  { program: /^git$/, words: /(?:^| )push(?: |$)/, what: "pushes to a remote" },
  { program: /^git$/, words: /(?:^| )send-email\b/, what: "sends mail" },
  { program: /^(?:npm|pnpm|yarn|bun|cargo|poetry|uv|lerna|vsce)$/, words: /(?:^| )publish(?: |$)/, what: PUBLISH },
  { program: /^(?:twine|gem)$/, words: /^(?:upload|push)\b/, what: PUBLISH },
  {
    program: /^gh$/,
    words: /^(?:pr|issue|release|gist|repo|workflow|run|label|secret|variable) (?:create|comment|merge|close|edit|delete|reopen|review|upload|run|rerun|set)\b/,
    what: "writes to GitHub",
  },
  {
    program: /^gh$/,
    words: /^api\b.*(?:^| )(?:-X ?|--method[ =])(?:POST|PUT|PATCH|DELETE)\b|^api\b.* (?:-f|-F|--field|--raw-field|--input)\b/,
    what: "writes to GitHub",
  },
  { program: /^glab$/, words: /^(?:mr|issue|release|snippet) (?:create|note|merge|close|update|delete)\b/, what: "writes to GitLab" },
  { program: /^(?:mail|mailx|sendmail|msmtp|mutt|swaks)$/, words: /(?:)/, what: "sends mail" },
  { program: /^(?:docker|podman|buildah)$/, words: /(?:^| )push\b|--push\b/, what: "pushes an image" },
  { program: /^kubectl$/, words: /(?:^| )(?:apply|create|delete|patch|replace|scale|rollout|set)\b/, what: "changes a cluster" },
  { program: /^helm$/, words: /^(?:install|upgrade|uninstall|rollback)\b/, what: "changes a cluster" },
  { program: /^(?:terraform|tofu|pulumi)$/, words: /(?:^| )(?:apply|destroy|up|import)\b/, what: "changes infrastructure" },
  {
    program: /^(?:aws|gcloud|az)$/,
    words: /(?:^| )(?:put|create|delete|update|cp|sync|mv|rm|deploy|publish|send|start|stop|terminate)(?:-[\w-]+)?(?: |$)/,
    what: "changes something in a cloud",
  },
  { program: /^(?:vercel|netlify|fly|flyctl|firebase|wrangler|serverless|sls|heroku)$/, words: /(?:^| )(?:deploy|publish|--prod)\b|^$/, what: "deploys" },
  { program: /^(?:scp|sftp)$/, words: /(?:)/, what: "copies to another machine" },
  { program: /^rsync$/, words: /\S+:\S*/, what: "copies to another machine" },
  { program: /^ssh$/, words: /(?:)/, what: "runs something on another machine" },
];

export interface RemoteWrite {
  /** The simple command, its words joined by spaces. */
  command: string;
  /** `pushes to a remote`. */
  what: string;
}

/** Commands below `ralphd once` are safe to repeat and left out. */
export function remoteWrites(command: string): RemoteWrite[] {
  return simpleCommands(command).flatMap(({ words }) => {
    const [program = "", ...rest] = words;
    const rule = RULES.find((one) => one.program.test(base(program)) && one.words.test(rest.join(" ")));
    // A dry run writes nothing.
    if (rule === undefined || rest.some((word) => /^--dry-run(?:=|$)/.test(word))) return [];
    return [{ command: words.join(" "), what: rule.what }];
  });
}
