package io.skerry.testkit.fault;

import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MpiFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/** A file with a probe that observes its calls and may make them fail. */
final class ProbedFile implements MpiFile {
  private final MpiFile file;
  private final int rank;
  private final FileProbe probe;

  ProbedFile(MpiFile file, int rank, FileProbe probe) {
    this.file = file;
    this.rank = rank;
    this.probe = probe;
  }

  private Optional<MpiException> ask(FileCall call) {
    return probe.before(rank, call, FileView.EMPTY, MemorySegment.NULL);
  }

  private static void raise(Optional<MpiException> fault) {
    if (fault.isPresent()) {
      throw fault.get();
    }
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public void writeAtAll(FileView view, MemorySegment data) {
    Optional<MpiException> fault = probe.before(rank, FileCall.WRITE, view, data);
    if (fault.isPresent()) {
      file.writeAtAll(FileView.EMPTY, data.asSlice(0, 0));
    } else {
      file.writeAtAll(view, data);
    }
    raise(fault);
  }

  @Override
  public void readAtAll(FileView view, MemorySegment data) {
    Optional<MpiException> fault = probe.before(rank, FileCall.READ, view, MemorySegment.NULL);
    if (fault.isPresent()) {
      file.readAtAll(FileView.EMPTY, data.asSlice(0, 0));
    } else {
      file.readAtAll(view, data);
    }
    raise(fault);
  }

  @Override
  public void writeAt(long offset, MemorySegment data) {
    FileView view = FileView.of(offset, data.byteSize());
    raise(probe.before(rank, FileCall.WRITE_ALONE, view, data));
    file.writeAt(offset, data);
  }

  @Override
  public void readAt(long offset, MemorySegment data) {
    FileView view = FileView.of(offset, data.byteSize());
    raise(probe.before(rank, FileCall.READ_ALONE, view, MemorySegment.NULL));
    file.readAt(offset, data);
  }

  @Override
  public long size() {
    raise(ask(FileCall.SIZE));
    return file.size();
  }

  @Override
  public void setSize(long bytes) {
    Optional<MpiException> fault = ask(FileCall.RESIZE);
    file.setSize(bytes);
    raise(fault);
  }

  @Override
  public void sync() {
    Optional<MpiException> fault = ask(FileCall.SYNC);
    file.sync();
    raise(fault);
  }

  @Override
  public void close() {
    Optional<MpiException> fault = ask(FileCall.CLOSE);
    file.close();
    raise(fault);
  }

  @Override
  public void abandon() {
    file.abandon();
  }
}
