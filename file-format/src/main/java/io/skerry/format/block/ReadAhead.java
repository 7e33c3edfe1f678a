package io.skerry.format.block;

import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A source that does not change while it is open, read in larger pieces than it is asked for: the
 * structures of a file are small and stand beside each other. A read that goes on where an earlier
 * one ended fetches twice as much as that one did, up to a limit; one that does not fetches little.
 * Holds a bounded number of bytes, the pieces used last.
 */
public final class ReadAhead implements ByteSource {
  private static final long SMALLEST = 4 << 10;
  private static final long LARGEST = 128 << 10;
  private static final int PIECES = 8;

  private final ByteSource source;
  private final LinkedHashMap<Long, Piece> pieces = new LinkedHashMap<>(16, 0.75f, true);
  private volatile Optional<Piece> last = Optional.empty();
  private volatile long size;

  private record Piece(long start, MemorySegment bytes) {
    long end() {
      return start + bytes.byteSize();
    }

    boolean has(long address, long length) {
      return address >= start && address <= end() - length;
    }

    /** Whether a read there goes on where this piece ends, give or take a gap. */
    boolean leadsTo(long address) {
      return address >= start && address - end() < bytes.byteSize();
    }
  }

  /**
   * Nothing is read yet.
   *
   * @param source where all bytes are as long as it is open
   */
  public ReadAhead(ByteSource source) {
    this.source = source;
    this.size = source.size();
  }

  @Override
  public MemorySegment read(long address, long length) {
    if (address < 0 || length < 0 || length > LARGEST / 2) {
      return source.read(address, length);
    }
    Optional<Piece> recent = last.filter(piece -> piece.has(address, length));
    Optional<Piece> found = recent.isPresent() ? recent : find(address, length);
    Piece piece = found.isPresent() ? found.get() : fetch(address, length);
    last = found.isPresent() ? found : Optional.of(piece);
    return piece.bytes().asSlice(address - piece.start(), length);
  }

  private synchronized Optional<Piece> find(long address, long length) {
    for (Piece piece : pieces.values()) {
      if (piece.has(address, length)) {
        // Asked for by its key, it counts as used last.
        return Optional.ofNullable(pieces.get(piece.start()));
      }
    }
    return Optional.empty();
  }

  private Piece fetch(long address, long length) {
    size = source.size();
    // What lies outside the file is the source's to refuse.
    long inside = Math.max(length, Math.min(ahead(address), size - address));
    Piece piece = new Piece(address, source.read(address, inside));
    hold(piece);
    return piece;
  }

  private synchronized long ahead(long address) {
    long longest = 0;
    for (Piece piece : pieces.values()) {
      if (piece.leadsTo(address)) {
        longest = Math.max(longest, piece.bytes().byteSize());
      }
    }
    return Math.clamp(2 * longest, SMALLEST, LARGEST);
  }

  private synchronized void hold(Piece piece) {
    pieces.put(piece.start(), piece);
    Iterator<Map.Entry<Long, Piece>> eldest = pieces.entrySet().iterator();
    while (pieces.size() > PIECES) {
      eldest.next();
      eldest.remove();
    }
  }

  @Override
  public void read(long address, MemorySegment into) {
    source.read(address, into);
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public AddressMapping places() {
    return source.places();
  }

  @Override
  public String name() {
    return source.name();
  }
}
