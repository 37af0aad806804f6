// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings hold bash
import { describe, expect, it } from '@jest/globals';
import type { Call } from '../../../src/domain/query.js';
import { classify } from '../../../src/policy/classify.js';
import { RULES } from './rules.js';

const shell = (command: string): Call => ({ kind: 'shell', host: 'lab', command });
const kindOf = (command: string): string => {
  const { worst } = classify(shell(command), RULES);
  return worst.kind === 'mutate' && worst.influence.unknown ? 'unknown' : worst.kind;
};
const reasonOf = (command: string): string => {
  const { worst } = classify(shell(command), RULES);
  return 'reason' in worst ? worst.reason : '';
};

describe('what a command does', () => {
  it.each([
    'cat /var/log/tikv.log',
    'tail -n 50 /var/log/*.log',
    'head -20 /etc/hosts',
    "grep -c 'region 14' /var/log/tikv.log",
    'grep -e a -e b /var/log/x | sort | uniq -c | sort -rn | head -5',
    'ls -la /var/lib/tikv',
    'ps aux --sort=-rss',
    'pgrep -fl tikv',
    'df -h / /data',
    'du -sh /data',
    'ss -tlnp',
    'free -m; uptime; nproc',
    'iptables -L -n -v',
    'ip addr show',
    'systemctl status tikv-20160 --no-pager',
    'journalctl -u tikv --since "10 min ago" --no-pager -n 100',
    'docker ps -a',
    'docker logs --tail 50 tikv-1',
    "docker exec tikv-1 sh -c 'ls /data'",
    'ssh tikv-1 df -h',
    'find /var/log -name x.log -mmin -10',
    "awk '{print $2, $3}' /proc/loadavg",
    "sed -n '10,20p' /var/log/x",
    'for i in 1 2 3; do labctl ps --json; sleep 1; done',
    'labctl inspect tikv-1 2>/dev/null | jq -r .state',
    'timeout 5 labctl ps || echo none',
    'LC_ALL=C sort /tmp/x',
    '[ -f /var/run/x ] && echo yes',
    '[[ -f /var/run/x ]]',
    'kill -0 17',
    'curl -s http://127.0.0.1:2379/pd/api/v1/stores',
    'curl -sS -m 3 -o /dev/null -w "%{http_code}" 127.0.0.1:2379/health',
    'wget -qO- http://127.0.0.1:2379/metrics',
    'x=$(date +%s); echo "$x"',
    'read -r line < /proc/loadavg; echo "$line"',
    'export LANG=C; date',
    'command -v labctl',
  ])('is a read: %s', (command) => expect(kindOf(command)).toBe('read'));

  it.each([
    'rm /tmp/x',
    'frobnicate',
    '/tmp/cat /x',
    './labctl ps',
    'cat x.log',
    'cat /var/log/../../home/x/.ssh/id_rsa',
    'cat /etc/shadow',
    'cat /proc/17/environ',
    'cat /dev/sda',
    'cat "$x"',
    'cat < "$x"',
    'cat < /etc/shadow',
    'grep -f /x y /z',
    'ls > /tmp/x',
    'ls 2>> /tmp/x',
    '{ ls; } > /tmp/x',
    '> /var/log/tikv.log',
    'tail -f /x',
    'sort -o /x /y',
    'uniq /x /y',
    'find /x -delete',
    'find /x -fprint /y',
    'find /x -exec ls {} +',
    'sed -i s/a/b/ /x',
    "sed -n '1e reboot' /x",
    `awk 'BEGIN{system("x")}'`,
    `awk '{print > "/x"}' /y`,
    'tee /x',
    'xargs cat',
    'date -s 12:00',
    'dmesg -C',
    'ss -K dst 1',
    'iptables -L -Z',
    'iptables -D OUTPUT 1',
    'ip link delete x',
    'ip link set x down',
    'systemctl restart tikv',
    'systemctl status -H root@x y',
    'docker restart tikv-2',
    'docker run x',
    'kill -9 17',
    'journalctl --vacuum-size=1M',
    'ping 10.0.0.1',
    'vmstat 1',
    'jq "import \\"/x\\" as $d; ." /y',
    'curl -L http://127.0.0.1:2379/x',
    'curl -o /x http://127.0.0.1:2379/y',
    'curl -d @/etc/hosts http://127.0.0.1:2379/y',
    'curl -H "X-HTTP-Method-Override: DELETE" http://127.0.0.1:2379/y',
    'curl -K /x',
    'curl http://elsewhere:2379/',
    'curl http://127.0.0.1:2379/a http://127.0.0.1:2379/b',
    'curl "http://127.0.0.1:2379/{a,b}"',
    'curl "http://127.0.0.1:2379/$x"',
    'curl -X DELETE http://127.0.0.1:2379/pd/api/v1/store/4',
    'wget http://127.0.0.1:2379/x',
    'LABCTL_HOME=/x labctl ps',
    'LABCTL_HOME=/x; labctl ps',
    'export LABCTL_HOME=/x; labctl ps',
    'sudo cat /x',
    'setsid ls',
    'ls; rm /x',
    'labctl start tikv-1; frobnicate',
  ])('is a mutation of unknown reach: %s', (command) => expect(kindOf(command)).toBe('unknown'));

  it.each([
    ['reboot', 'it takes the whole host away'],
    ['sudo shutdown -h now', 'it takes the whole host away'],
    ['pkill -f tikv', 'it ends processes by a pattern, and may hit others; name one pid'],
    ['kill $(pgrep tikv)', 'which process it would signal is decided at run time; name its pid'],
    ['kill -9 $x', 'which process it would signal is decided at run time; name its pid'],
    ['curl -X POST http://127.0.0.1:2379/pd/../x', 'the path /pd/../x leads elsewhere when it is sent'],
  ])('is forbidden: %s', (command, reason) => {
    expect(kindOf(command)).toBe('forbidden');
    expect(reasonOf(command)).toBe(reason);
  });

  it('takes all its mutations together', () => {
    const { worst, parts } = classify(shell('labctl ps; labctl stop tikv-2; labctl start tikv-1'), RULES);
    expect(worst).toEqual({
      kind: 'mutate',
      influence: { touches: ['tikv-1', 'tikv-2'], takesAway: ['tikv-2'] },
      reversible: true,
      restorative: false,
    });
    expect(parts.map(({ text }) => text)).toEqual(['labctl ps', 'labctl stop tikv-2', 'labctl start tikv-1']);
  });

  it('shows each part where it would run, quoted where that matters', () => {
    const { parts } = classify(shell(`docker exec t sh -c "rm 'a b' > /x"`), RULES);
    expect(parts.map(({ text }) => text)).toEqual([
      `docker exec t sh -c 'rm '\\''a b'\\'' > /x'`,
      `in t: sh -c 'rm '\\''a b'\\'' > /x'`,
      `in t: rm 'a b' > /x`,
    ]);
  });
});

describe('what touches Medic itself', () => {
  it.each([
    'cat /home/m/.medic/journal/x',
    'ls /home/m/.medic',
    'ls /home/m//./.medic/',
    'cat /var/../home/m/.medic/x',
    'cat /home/m/.m*/x',
    'rm -rf /home',
    'rm -rf /',
    'rm -rf "/home/$x"',
    'grep -r key /home/m',
    'rm -rf .medic',
    'cd /home/m && cat .medic/credentials',
    'rm ../m/.medic/x',
    'tar c /home/m',
    'frobnicate --file=/opt/medic/policies/lab.yaml',
    `python3 -c "open('/home/m/.medic/x')"`,
    'echo x > /opt/medic/policies/lab.yaml',
    'cat < /home/m/.medic/x',
    'x=$(< /home/m/.medic/x)',
    'for f in /home/m/.medic/*; do echo "$f"; done',
    'x=/home/m/.medic; ls "$x"',
    "docker exec t sh -c 'cat /home/m/.medic/x'",
    'medic freeze',
    './medic freeze',
    '/usr/bin/temporal workflow list',
    'labd --help',
    'nohup temporal server start-dev',
    'curl http://localhost:7233/x',
    'curl http://[::1]:7233/x',
    'frobnicate --address 127.0.0.1:7233',
    'nc 127.0.0.1 7233',
    'cat < /dev/tcp/127.0.0.1/7233',
    'curl http://medic.example:8080/x',
    'kill -9 4242',
    'kill -TERM -4242',
    'kill -9 -1',
    'cat /proc/4242/status',
  ])('is refused: %s', (command) => {
    expect(classify(shell(command), RULES)).toMatchObject({ worst: { kind: 'self' }, code: 'MEDIC_POLICY_SELF' });
  });

  it.each([
    'ls /home',
    'df /',
    'ls /',
    'cat /var/log/medical.log',
    'ps aux',
    'curl -s http://127.0.0.1:2379/x',
    'head -n 7233 /var/log/x',
    'kill -0 42',
  ])('is not: %s', (command) => expect(kindOf(command)).toBe('read'));
});

describe('what an HTTP call does', () => {
  const http = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: string): Call => ({
    kind: 'http',
    api: 'pd',
    method,
    path,
    body,
  });

  it('is told by method and path: rows first, then GET reads and the rest has unknown reach', () => {
    expect(classify(http('GET', '/pd/api/v1/new?x=1'), RULES).worst).toEqual({ kind: 'read' });
    expect(classify(http('POST', '/pd/api/v1/leader/resign'), RULES).worst).toMatchObject({
      influence: { touches: ['pd'] },
    });
    expect(classify(http('POST', '/pd/api/v1/new'), RULES).worst).toMatchObject({ influence: { unknown: true } });
    expect(classify(http('DELETE', '/pd/api/v1/store/4'), RULES).worst).toMatchObject({ reversible: false });
  });

  it('is the same whatever program sends it', () => {
    const sent = classify(shell('curl -X POST http://127.0.0.1:2379/pd/api/v1/leader/resign'), RULES);
    expect(sent.worst).toEqual(classify(http('POST', '/pd/api/v1/leader/resign'), RULES).worst);
  });

  it.each(['/a/../b', '/a/%2e%2E/b', '/a/.%2e', '//evil/x', 'pd/x', '/a\\b', '/a b'])(
    'is forbidden when its path would not be sent as it was judged: %s',
    (path) => expect(classify(http('GET', path), RULES)).toMatchObject({ worst: { kind: 'forbidden' } }),
  );

  it('is refused with deceptive characters in path or body', () => {
    expect(classify(http('POST', '/x\u202e'), RULES).code).toBe('MEDIC_POLICY_CONTROL_CHARACTER');
    expect(classify(http('POST', '/x', '{"a":"\u0007"}'), RULES).code).toBe('MEDIC_POLICY_CONTROL_CHARACTER');
    expect(classify(http('GET', '/x', '{\n\t"a": 1\n}'), RULES).code).toBeNull();
  });

  it('is refused when the API is one of our own', () => {
    const rules = { ...RULES, endpoints: { '127.0.0.1:7233': 'temporal' } };
    const call: Call = { kind: 'http', api: 'temporal', method: 'GET', path: '/' };
    expect(classify(call, rules)).toMatchObject({ worst: { kind: 'self' }, code: 'MEDIC_POLICY_SELF' });
  });
});
