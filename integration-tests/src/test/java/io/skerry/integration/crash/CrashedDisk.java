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
 * The states that a disk may have if the machine stops at one line of a trace.
 *
 * <p>A write or a change of size is durable if the same process has synced the file afterwards and
 * the call has returned; a sync by another process, perhaps on another machine, does not count. Any
 * other operation that has begun may be missing. A write may also be durable in part: each of its
 * 512-byte sectors may or may not be on disk. The size of the file is the last durable one or any
 * later one. Operations on names in a folder become durable in order, and any number of the last
 * ones may be missing; the sync of a new file makes its name durable.
 */
final class CrashedDisk {
  private static final int SECTOR = 512;

  private final List<DiskOperation> certain = new ArrayList<>();
  private final List<DiskOperation> possible = new ArrayList<>();
  private final List<DiskOperation> names = new ArrayList<>();
  private int certainNames;

  /** Number of pieces of the possible operations: the sectors of writes, and changes of size. */
  private int pieces;

  /** All operations on file content in trace order. */
  private final List<Ordered> ordered = new ArrayList<>();

  /**
   * An operation on file content.
   *
   * @param number index among the possible operations, or -1 if the operation is durable
   * @param piece index of its first piece
   * @param count number of its pieces
   */
  private record Ordered(DiskOperation operation, int number, int piece, int count) {
    boolean isCertain() {
      return number < 0;
    }
  }

  /**
   * @param operations all operations of the trace
   * @param line line of the trace at which the machine stops
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

  /** Returns a text that is equal for lines of the trace with the same possible states. */
  String signature() {
    return certain.size() + "/" + possible.size() + "/" + names.size() + "/" + certainNames;
  }

  /**
   * Returns the states in which only the first operations are durable, for every number of them;
   * then all subsets of the pieces, or {@code random} random ones if there are more; then the
   * states in which operations on names are missing.
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

  /** Draws about a tenth, half or nine tenths of the pieces, or all but one, by {@code number}. */
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
   * Builds one state.
   *
   * @param arrived durable pieces
   * @param sizes number of possible operations, from the first, whose change of size is durable
   * @param known number of durable operations on names, from the first
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

  /** The bytes and the size of a file; the size may differ from the number of bytes. */
  private static final class Content {
    private byte[] bytes = new byte[0];
    private long size;

    /** Selects the durable sectors of a write. */
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
