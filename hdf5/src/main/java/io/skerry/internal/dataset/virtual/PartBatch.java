package io.skerry.internal.dataset.virtual;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.dataset.Elements;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.Runs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Parts of a virtual dataset that the worker threads of this rank read concurrently, if there are
 * at least {@link #LEAST} of them, the source files need not be opened in full, and no element is
 * in two of the parts or twice in one of them. All other parts are read one after the other. Local,
 * not thread-safe.
 */
final class PartBatch {
  /** The maximum number of parts in a batch. */
  private static final int MOST = 256;

  /** The number of parts below which starting other threads takes longer than reading. */
  private static final int LEAST = 8;

  /** The number of parts that a thread reads per task. */
  private static final int SHARE = 8;

  private final VirtualReader reader;
  private final MemorySegment packed;
  private final List<Prepared> parts = new ArrayList<>();

  /**
   * True if parts are collected for concurrent reads; becomes false if the workers could read no
   * part of a batch.
   */
  private boolean shareable;

  /**
   * A part and the selected elements in it.
   *
   * @param pieces the elements, at least one piece
   */
  private record Prepared(Part part, List<Piece> pieces) {}

  /**
   * Creates an empty batch.
   *
   * @param reader the reader of the parts
   * @param packed the buffer for the values of all parts
   */
  PartBatch(VirtualReader reader, MemorySegment packed) {
    this.reader = reader;
    this.packed = packed;
    this.shareable = !Elements.leadOutside(reader.type());
  }

  /**
   * Adds a part; reads the batch if it is full, or if the part must be read immediately.
   *
   * @param wanted the runs that contain each selected element once
   */
  void add(Part part, Runs wanted) {
    List<Piece> pieces = part.pieces(reader.shape(), wanted);
    if (pieces.isEmpty() || !shareable) {
      read();
      reader.part(part, pieces, packed);
      return;
    }
    parts.add(new Prepared(part, pieces));
    if (parts.size() == MOST) {
      read();
    }
  }

  /** Reads the parts of the batch. */
  void read() {
    List<Prepared> left = List.copyOf(parts);
    parts.clear();
    if (left.size() >= LEAST && areDisjoint(left)) {
      int before = left.size();
      left = readTogether(left);
      shareable = left.size() < before;
    }
    left.forEach(prepared -> reader.part(prepared.part, prepared.pieces, packed));
  }

  /** Returns whether no element is in two parts, or twice in one. */
  private static boolean areDisjoint(List<Prepared> parts) {
    long[] places =
        parts.stream()
            .flatMap(prepared -> prepared.pieces.stream())
            .mapToLong(Piece::place)
            .sorted()
            .toArray();
    return parts.stream()
        .flatMap(prepared -> prepared.pieces.stream())
        .allMatch(piece -> {
          int at = Arrays.binarySearch(places, piece.place());
          boolean single =
              at == places.length - 1 || places[at + 1] >= piece.place() + piece.length();
          return single && (at == 0 || places[at - 1] < piece.place());
        });
  }

  /** Reads parts with several threads, and returns those that must be read one by one. */
  private List<Prepared> readTogether(List<Prepared> all) {
    List<Prepared> left = new ArrayList<>();
    int end = 0;
    for (int from = 0; from < all.size(); from = end) {
      end = from + reader.sources().makeRoom(all.size() - from);
      List<Callable<List<Prepared>>> tasks = new ArrayList<>();
      for (int at = from; at < end; at += SHARE) {
        List<Prepared> share = all.subList(at, Math.min(end, at + SHARE));
        tasks.add(() -> share.stream().filter(prepared -> !isRead(prepared)).toList());
      }
      reader.workers().runAll(List.of(packed), tasks).forEach(left::addAll);
    }
    return left;
  }

  /** Reads a part in any thread. Returns false if the thread that owns the batch must read it. */
  private boolean isRead(Prepared prepared) {
    Part part = prepared.part;
    Optional<SourceDatasets.Source> found = reader.sources().shared(part.mapping(), part.block());
    if (found.isEmpty()) {
      return false;
    }
    try {
      reader.part(part, found.get(), prepared.pieces, packed);
      return true;
    } catch (FormatException | UnsupportedFeatureException failed) {
      // The failure is reported when the part is read again.
      return false;
    }
  }
}
