package io.skerry.collective.multifile;

import io.skerry.exception.FormatException;
import io.skerry.format.block.AddressMapping;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Several files that are read as one. Every rank reads for itself, so that no call waits for
 * others, collective or not.
 */
public final class SegmentedFile implements MpiFile {
  private final Path path;
  private final SegmentMap spread;
  private final List<Optional<MpiFile>> members;

  private SegmentedFile(Path path, SegmentMap spread, List<Optional<MpiFile>> members) {
    this.path = path;
    this.spread = spread;
    this.members = members;
  }

  /**
   * Opens those of the files that are there. Local.
   *
   * @param path what the user calls the whole
   */
  public static SegmentedFile open(Path path, SegmentMap spread) {
    List<Optional<MpiFile>> members = new ArrayList<>();
    SegmentedFile whole = new SegmentedFile(path, spread, members);
    boolean ready = false;
    try {
      for (Segment part : spread.parts()) {
        members.add(
            part.bytes().isPresent()
                ? Optional.of(Communicator.self().openFile(part.file(), OpenMode.READ, Map.of()))
                : Optional.empty());
      }
      ready = true;
      return whole;
    } finally {
      if (!ready) {
        whole.close();
      }
    }
  }

  /** What the addresses stored in a file mean to its readers. */
  public static AddressMapping places(MpiFile file) {
    return file instanceof SegmentedFile whole ? whole.spread.places() : AddressMapping.IDENTITY;
  }

  /**
   * Makes sure, before memory is taken, that no member with these bytes is missing or too short.
   * Says nothing of a file that is not spread over several.
   *
   * @throws FormatException naming the member
   */
  public static void requirePresent(MpiFile file, long offset, long length) {
    if (file instanceof SegmentedFile whole && offset >= 0 && length >= 0) {
      whole.spread.require(offset, length);
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public void readAt(long offset, MemorySegment data) {
    spread.require(offset, data.byteSize());
    long done = 0;
    while (done < data.byteSize()) {
      int index = spread.indexOf(offset + done);
      Segment part = spread.parts().get(index);
      long inside = offset + done - part.start();
      long bytes = Math.min(data.byteSize() - done, part.present() - inside);
      members.get(index).orElseThrow().readAt(inside, data.asSlice(done, bytes));
      done += bytes;
    }
  }

  @Override
  public void readAtAll(FileView view, MemorySegment data) {
    long packed = 0;
    for (int i = 0; i < view.blocks(); i++) {
      readAt(view.offset(i), data.asSlice(packed, view.length(i)));
      packed += view.length(i);
    }
  }

  @Override
  public long size() {
    return spread.size();
  }

  @Override
  public void writeAt(long offset, MemorySegment data) {
    throw readOnly();
  }

  @Override
  public void writeAtAll(FileView view, MemorySegment data) {
    throw readOnly();
  }

  @Override
  public void setSize(long bytes) {
    throw readOnly();
  }

  private IllegalStateException readOnly() {
    return new IllegalStateException(
        "files that are spread over several are only read: path=" + path);
  }

  @Override
  public void sync() {
    // Nothing is written.
  }

  @Override
  public void close() {
    members.forEach(member -> member.ifPresent(MpiFile::close));
  }

  @Override
  public void abandon() {
    close();
  }
}
