#!/usr/bin/env bash
# Runs a command the way a container engine would: process 1 of a process space of its own, user 1000, no
# capability, no new privileges, a read-only root of the given folder with this machine's libraries in it;
# /data and /tmp alone can be written.
# Usage, as root: unshare --mount --pid --fork --kill-child as-container.sh ROOT NODE command [argument...]
set -euo pipefail
root=$1 node=$2
shift 2

mount --make-rprivate /
mount --bind "$root" "$root"
for folder in usr bin lib lib64 dev; do
  mkdir -p "$root/$folder"
  mount --rbind "/$folder" "$root/$folder"
done
mkdir -p "$root/node" "$root/proc" "$root/tmp"
mount --bind "$(dirname "$node")" "$root/node"
mount -t proc proc "$root/proc"
mount -t tmpfs -o size=16m tmpfs "$root/tmp"
mount --bind "$root/data" "$root/data"
mount -o remount,bind,ro "$root"

exec chroot "$root" /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs \
  --bounding-set=-all --inh-caps=-all /usr/bin/env PATH=/node:/usr/bin "$@"
