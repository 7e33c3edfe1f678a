package io.skerry.format.block;

import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A byte source that reads ahead, for a file that does not change while it is open. Metadata
 * structures are small and often adjacent, so a read that is not cached is extended to at least 4
 * KiB or, if it continues cached pieces, to at least twice the length of the longest of them, but
 * not beyond 128 KiB or the end of the file. Requests for more than 64 KiB, and reads into the
 * caller's memory, go directly to the file and are not cached. Keeps at most 8 pieces and evicts
 * the least recently used one.
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

    /**
     * Returns whether a read at the address continues this piece: it starts within the piece, or
     * less than the length of the piece after its end.
     */
    boolean leadsTo(long address) {
      return address >= start && address - end() < bytes.byteSize();
    }
  }

  /**
   * Creates a source that has read nothing yet.
   *
   * @param source the file, whose bytes do not change while it is open
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
        // This lookup by key marks the piece as the most recently used.
        return Optional.ofNullable(pieces.get(piece.start()));
      }
    }
    return Optional.empty();
  }

  private Piece fetch(long address, long length) {
    size = source.size();
    // The source itself rejects ranges outside the file.
    long inside = Math.max(length, Math.min(fetchLength(address), size - address));
    Piece piece = new Piece(address, source.read(address, inside));
    hold(piece);
    return piece;
  }

  private synchronized long fetchLength(long address) {
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
