package io.skerry.integration.crash;

import io.skerry.integration.crash.DiskOperation.Create;
import io.skerry.integration.crash.DiskOperation.Link;
import io.skerry.integration.crash.DiskOperation.Rename;
import io.skerry.integration.crash.DiskOperation.Resize;
import io.skerry.integration.crash.DiskOperation.Sync;
import io.skerry.integration.crash.DiskOperation.Unlink;
import io.skerry.integration.crash.DiskOperation.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * What a disk may hold if the machine stops at one line of a trace.
 *
 * <p>A write or a new size is on disk if its process has called sync for the file afterwards and
 * the call has returned; the sync of another process, perhaps on another machine, does not count.
 * Of all others that had begun, any may be there and any may be missing, sector of 512 bytes by
 * sector; the size of the file is one that it had at some time since. Names in a folder come and go
 * in order, but how far that has reached the disk is open; the sync of a new file includes its
 * name.
 */
final class CrashedDisk {
  private static final int SECTOR = 512;

  private final List<DiskOperation> certain = new ArrayList<>();
  private final List<DiskOperation> possible = new ArrayList<>();
  private final List<DiskOperation> names = new ArrayList<>();
  private int certainNames;

  /** Pieces of possible operations, sectors of writes, each of which may have arrived. */
  private int pieces;

  /** All operations on content in their order. */
  private final List<Ordered> ordered = new ArrayList<>();

  /**
   * An operation.
   *
   * @param number among the possible ones; -1 for a certain one
   * @param piece its first
   * @param count of its pieces
   */
  private record Ordered(DiskOperation operation, int number, int piece, int count) {
    boolean isCertain() {
      return number < 0;
    }
  }

  /**
   * @param operations of the trace, from its beginning
   * @param line at which the machine stops
   */
  CrashedDisk(List<DiskOperation> operations, int line) {
    for (DiskOperation operation : operations) {
      if (operation.start() >= line) {
        continue;
      }
      switch (operation) {
        case Create _, Unlink _, Rename _, Link _ -> names.add(operation);
        case Write write -> sort(write, write.file(), operations, line);
        case Resize resize -> sort(resize, resize.file(), operations, line);
        case Sync sync -> {
          if (sync.end() < line) {
            syncName(sync);
          }
        }
        case DiskOperation.Mark _ -> {}
      }
    }
    certain.forEach(operation -> ordered.add(new Ordered(operation, -1, 0, 0)));
    for (DiskOperation operation : possible) {
      int count = pieces(operation);
      ordered.add(new Ordered(operation, ordered.size() - certain.size(), pieces, count));
      pieces += count;
    }
    ordered.sort((a, b) -> Integer.compare(a.operation().start(), b.operation().start()));
  }

  private static int pieces(DiskOperation operation) {
    return operation instanceof Write write
        ? (int) ((write.offset() + write.bytes().length - 1) / SECTOR - write.offset() / SECTOR) + 1
        : 1;
  }

  private void sort(DiskOperation operation, int file, List<DiskOperation> all, int line) {
    boolean durable =
        all.stream()
            .anyMatch(other ->
                other instanceof Sync sync
                    && sync.file() == file
                    && sync.process() == operation.process()
                    && operation.end() < sync.start()
                    && sync.end() < line);
    (durable ? certain : possible).add(operation);
  }

  private void syncName(Sync sync) {
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i) instanceof Create create && create.file() == sync.file()) {
        certainNames = Math.max(certainNames, i + 1);
      }
    }
  }

  /** What differs from another line of the trace; the same text, the same possible states. */
  String signature() {
    return certain.size() + "/" + possible.size() + "/" + names.size() + "/" + certainNames;
  }

  /**
   * States in which the whole of some first operations has arrived, then all subsets of the pieces
   * if they are few, else as many at random.
   */
  List<DiskState> states(int random, RandomGenerator draw) {
    List<DiskState> states = new ArrayList<>();
    for (int prefix = 0; prefix <= possible.size(); prefix++) {
      BitSet arrived = new BitSet();
      for (Ordered one : ordered) {
        arrived.set(one.piece(), one.piece() + one.count(), one.number() < prefix);
      }
      states.add(state(arrived, prefix, names.size()));
    }
    if (pieces < 31 && 1 << pieces <= random) {
      for (long bits = 0; bits < 1L << pieces; bits++) {
        states.add(drawn(BitSet.valueOf(new long[] {bits}), draw));
      }
    } else {
      for (int i = 0; i < random; i++) {
        states.add(drawn(subset(i, draw), draw));
      }
    }
    for (int known = certainNames; known < names.size(); known++) {
      BitSet all = new BitSet();
      all.set(0, pieces);
      states.add(state(all, possible.size(), known));
    }
    return states;
  }

  /** Many pieces, few, or all but one. */
  private BitSet subset(int number, RandomGenerator draw) {
    BitSet arrived = new BitSet();
    double[] odds = {0.1, 0.5, 0.9};
    for (int p = 0; p < pieces; p++) {
      arrived.set(p, number % 4 == 3 || draw.nextDouble() < odds[number % 4]);
    }
    if (number % 4 == 3) {
      arrived.clear(draw.nextInt(pieces));
    }
    return arrived;
  }

  private DiskState drawn(BitSet arrived, RandomGenerator draw) {
    int sizes = draw.nextInt(possible.size() + 1);
    int known = certainNames + draw.nextInt(names.size() - certainNames + 1);
    return state(arrived, draw.nextBoolean() ? possible.size() : sizes, known);
  }

  /**
   * One state.
   *
   * @param arrived pieces that have
   * @param sizes possible operations whose effect on sizes has arrived, the first so many
   * @param known operations on names that have arrived
   */
  private DiskState state(BitSet arrived, int sizes, int known) {
    TreeMap<Integer, Content> contents = new TreeMap<>();
    for (Ordered one : ordered) {
      boolean sized = one.number() < sizes;
      switch (one.operation()) {
        case Write write -> {
          Content content = contents.computeIfAbsent(write.file(), _ -> new Content());
          if (sized) {
            content.size = Math.max(content.size, write.offset() + write.bytes().length);
          }
          int first = one.piece() - (int) (write.offset() / SECTOR);
          content.write(write, sector -> one.isCertain() || arrived.get(first + (int) sector));
        }
        case Resize resize -> {
          Content content = contents.computeIfAbsent(resize.file(), _ -> new Content());
          if (sized) {
            content.size = resize.size();
          }
          if (one.isCertain() || arrived.get(one.piece())) {
            content.cut(resize.size());
          }
        }
        default -> throw new IllegalStateException("not about content: " + one.operation());
      }
    }
    return named(contents, known);
  }

  private DiskState named(TreeMap<Integer, Content> contents, int known) {
    TreeMap<String, Integer> there = new TreeMap<>();
    for (DiskOperation operation : names.subList(0, known)) {
      switch (operation) {
        case Create create -> there.put(create.name(), create.file());
        case Unlink unlink -> there.remove(unlink.name());
        case Link link -> {
          Integer file = there.get(link.from());
          if (file != null) {
            there.put(link.to(), file);
          }
        }
        case Rename rename -> {
          Integer file = there.remove(rename.from());
          if (file != null) {
            there.put(rename.to(), file);
          }
        }
        default -> throw new IllegalStateException("not about names: " + operation);
      }
    }
    SortedMap<String, byte[]> files = new TreeMap<>();
    there.forEach((name, file) -> {
      Content content = contents.get(file);
      files.put(name, content == null ? new byte[0] : content.bytes());
    });
    return new DiskState(files);
  }

  /** The bytes of a file, and its size, which may not reach as far as they do. */
  private static final class Content {
    private byte[] bytes = new byte[0];
    private long size;

    /** Chooses sectors. */
    @FunctionalInterface
    interface Sectors {
      boolean have(long sector);
    }

    void write(Write write, Sectors chosen) {
      int end = Math.toIntExact(write.offset() + write.bytes().length);
      bytes = bytes.length < end ? Arrays.copyOf(bytes, end) : bytes;
      for (int at = Math.toIntExact(write.offset()); at < end; ) {
        int next = Math.min(end, (at / SECTOR + 1) * SECTOR);
        if (chosen.have(at / SECTOR)) {
          System.arraycopy(write.bytes(), at - (int) write.offset(), bytes, at, next - at);
        }
        at = next;
      }
    }

    void cut(long to) {
      if (to < bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) to);
      }
    }

    byte[] bytes() {
      return Arrays.copyOf(bytes, Math.toIntExact(size));
    }
  }
}
