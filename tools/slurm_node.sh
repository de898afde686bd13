#!/usr/bin/env bash
# A SLURM of two nodes, n1 and n2, on this one machine, to try profiles/slurm on (make test-cluster).
#
#   slurm_node.sh check    explain why it cannot run here, if so (exit code 1)
#   slurm_node.sh start    install slurm-wlm and munge where they are missing, and start them
#   slurm_node.sh status   the nodes and their jobs
#   slurm_node.sh lose n2  kill a node with everything that runs on it, as a power failure would
#   slurm_node.sh stop     cancel the jobs and end everything that `start` started
#
# It needs root on Debian. Memory is counted when jobs are placed, but not enforced. All state is in SLURM_NODE_FOLDER,
# except for a link from /etc/slurm/slurm.conf, the only place where job steps find the configuration.
set -euo pipefail

folder=${SLURM_NODE_FOLDER:-/tmp/textparity-slurm}
nodes=(n1 n2)
# The resources of each node.
cpus=${SLURM_NODE_CPUS:-4}
memory=${SLURM_NODE_MEMORY:-12000}
config=$folder/slurm.conf
link=/etc/slurm/slurm.conf
host=$(hostname -s)
hosts_line="127.0.0.1 $host # textparity-slurm"

fail() {
    echo "slurm_node.sh: $*" >&2
    exit 1
}

check() {
    [ "$(id -u)" = 0 ] || { echo "it needs root"; return 1; }
    [ -f /etc/debian_version ] && command -v apt-get >/dev/null || { echo "it needs Debian"; return 1; }
    if [ -e "$link" ] && [ "$(readlink "$link")" != "$config" ]; then
        echo "there is a SLURM here already ($link)"
        return 1
    fi
}

# Check that the process of a pid file runs.
runs() { [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }

# until_true SECONDS COMMAND...: whether the command succeeds within so many seconds.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.3
    done
}

# One line for all nodes in the same state.
are_idle() { [ "$(sinfo --noheader --format=%T)" = idle ]; }
has_no_jobs() { [ -z "$(squeue --noheader)" ]; }
has_ended() { ! runs "$1"; }

write_config() {
    cat >"$config" <<END
ClusterName=textparity
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
SlurmdParameters=config_overrides
# linuxproc loses what a dead shell leaves behind.
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=2,bf_interval=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
KillWait=5
# A node that does not answer for so many seconds is down.
SlurmdTimeout=15
ReturnToService=2
# Finished jobs can be asked about for a day.
MinJobAge=86400
NodeName=DEFAULT CPUs=$cpus RealMemory=$memory State=UNKNOWN
NodeName=${nodes[0]} NodeHostname=$host NodeAddr=127.0.0.1 Port=26818
NodeName=${nodes[1]} NodeHostname=$host NodeAddr=127.0.0.1 Port=26819
PartitionName=main Nodes=$(IFS=, && echo "${nodes[*]}") Default=YES LLN=YES MaxTime=1-00:00:00 DefMemPerCPU=1000 State=UP
END
}

start() {
    reason=$(check) || fail "$reason"
    if ! { command -v slurmctld && command -v slurmd && command -v munged; } >/dev/null; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge >/dev/null
    fi
    if runs "$folder/slurmctld.pid"; then fail "already started; say stop first"; fi
    # Never use a folder that holds something else.
    [ ! -e "$folder" ] || [ -f "$config" ] || fail "$folder is in the way"
    rm -rf "$folder"
    mkdir -p "$folder"/{state,munge} "${nodes[@]/#/$folder/spool.}" /etc/slurm
    getent hosts "$host" >/dev/null || echo "$hosts_line" >>/etc/hosts
    write_config
    ln -sfn "$config" "$link"

    # We start our own munge, because the distribution's is a service, and there may be no service manager.
    head -c 1024 /dev/urandom >"$folder/munge/key"
    chmod 400 "$folder/munge/key"
    chown -R munge:munge "$folder/munge"
    setpriv --reuid=munge --regid=munge --init-groups munged --key-file="$folder/munge/key" \
        --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" \
        --seed-file="$folder/munge/seed"
    until_true 20 munge --socket="$folder/munge/socket" --no-input || fail "munged does not answer"
    slurmctld -f "$config"
    for node in "${nodes[@]}"; do slurmd -f "$config" -N "$node"; done
    until_true 60 are_idle || fail "the nodes did not come up; see $folder/*.log"
    echo "Two nodes with $cpus CPUs and $memory MB each are up; their logs are in $folder."
}

status() {
    sinfo
    squeue --states=all --format='%.8i %.10T %.8m %.4C %.10l %k'
}

# The processes of a node's jobs have its name in their environment.
list_processes() { grep -lzxF "SLURMD_NODENAME=$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 || true; }

# The processes that supervise jobs have the jobs' numbers in their titles.
list_stepds() {
    squeue --noheader --nodelist="$1" --states=RUNNING,COMPLETING --format=%A | sort -u |
        while read -r job; do pgrep -f "^slurmstepd: \\[$job\\." || true; done
}

lose() {
    pid_file=$folder/slurmd.${1:-}.pid
    runs "$pid_file" || fail "no node ${1:-} runs; say one of ${nodes[*]}"
    stepds=$(list_stepds "$1")
    # Kill the daemons first, so that none can report the end of a job.
    # shellcheck disable=SC2046,SC2086
    kill -KILL "$(cat "$pid_file")" $stepds $(list_processes "$1")
}

stop() {
    if runs "$folder/slurmctld.pid"; then
        squeue --noheader --format=%A | sort -u | xargs --no-run-if-empty scancel || true
        until_true 30 has_no_jobs || echo "slurm_node.sh: some jobs do not end" >&2
    fi
    for pid_file in "$folder"/slurmd.*.pid "$folder"/slurmctld.pid "$folder"/munge/pid; do
        runs "$pid_file" || continue
        kill "$(cat "$pid_file")"
        until_true 30 has_ended "$pid_file" || fail "process $(cat "$pid_file") does not end"
    done
    [ "$(readlink "$link")" != "$config" ] || rm "$link"
    # /etc/hosts may be a mount, which cannot be exchanged for another file.
    if grep -qxF "$hosts_line" /etc/hosts; then
        kept=$(grep -vxF "$hosts_line" /etc/hosts || true)
        echo "$kept" >/etc/hosts
    fi
}

case "${1:-}" in
check | start | status | stop) "$1" ;;
lose) lose "${2:-}" ;;
*) fail "say check, start, status, lose or stop" ;;
esac
