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
 * A read-only file that combines several member files. Every rank reads independently, so no call
 * waits for other ranks, not even a call to a collective method.
 */
public final class SegmentedFile implements MpiFile {
  private final Path path;
  private final SegmentMap map;
  private final List<Optional<MpiFile>> members;
  private volatile boolean isClosed;

  private SegmentedFile(Path path, SegmentMap map, List<Optional<MpiFile>> members) {
    this.path = path;
    this.map = map;
    this.members = members;
  }

  /**
   * Opens the members that exist. Local.
   *
   * @param path the path by which the user names the file
   */
  public static SegmentedFile open(Path path, SegmentMap map) {
    List<Optional<MpiFile>> members = new ArrayList<>();
    SegmentedFile whole = new SegmentedFile(path, map, members);
    boolean ready = false;
    try {
      for (Segment part : map.parts()) {
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

  /**
   * Returns the mapping from the addresses stored in a file to addresses in the combined file; the
   * identity for a single file.
   */
  public static AddressMapping places(MpiFile file) {
    return file instanceof SegmentedFile whole ? whole.map.places() : AddressMapping.IDENTITY;
  }

  /**
   * Checks that the members that contain the given bytes exist and are long enough. Called before
   * memory for these bytes is allocated. Does nothing if the HDF5 file is a single file.
   *
   * @throws FormatException if a member is missing or too short; the exception names the member
   */
  public static void requirePresent(MpiFile file, long offset, long length) {
    if (file instanceof SegmentedFile whole && offset >= 0 && length >= 0) {
      whole.map.require(offset, length);
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public void readAt(long offset, MemorySegment data) {
    map.require(offset, data.byteSize());
    long done = 0;
    while (done < data.byteSize()) {
      int index = map.indexOf(offset + done);
      Segment part = map.parts().get(index);
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
    if (isClosed) {
      throw new IllegalStateException("the file is closed: file=" + path);
    }
    return map.size();
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
        "files that are stored in several are read-only: path=" + path);
  }

  @Override
  public void sync() {
    // The file is read-only, so there is no data to sync.
  }

  @Override
  public void close() {
    isClosed = true;
    members.forEach(member -> member.ifPresent(MpiFile::close));
  }

  @Override
  public void abandon() {
    close();
  }
}
