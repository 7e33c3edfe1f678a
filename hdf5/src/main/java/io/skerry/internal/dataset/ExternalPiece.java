package io.skerry.internal.dataset;

import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.collective.trust.ReferencedFiles.Place;
import io.skerry.exception.FormatException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.parallel.UntrustedFileException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A range of bytes in an external file that contains elements of a dataset.
 *
 * @param object the path of the dataset
 * @param name the name of the file, as the dataset stores it
 * @param offset the byte offset of the range in that file
 * @param size the number of bytes; {@link Long#MAX_VALUE} if unlimited
 */
public record ExternalPiece(String object, String name, long offset, long size) {
  private static final List<Place> PLACES = List.of(Place.BESIDE, Place.WORKING_FOLDER);

  /**
   * Reads part of the piece. If the file ends before the piece does, the rest is filled with zeros,
   * as in HDF5.
   *
   * @param start the offset, in bytes from the beginning of the piece, at which to start
   * @param others the lookup of the files to which the HDF5 file refers: relative names are
   *     resolved against the directory of the HDF5 file, then against the working directory
   * @throws FormatException if there is no such file
   * @throws io.skerry.mpi.MpiException if the file cannot be opened or read
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses the file
   */
  public void read(long start, MemorySegment out, ReferencedFiles others) {
    Found file = find(others);
    long from = Math.addExact(offset, start);
    try (MpiFile open = Communicator.self().openFile(file.path(), OpenMode.READ, Map.of())) {
      others.confirm(file, object);
      long there = Math.clamp(open.size() - from, 0, out.byteSize());
      open.readAt(from, out.asSlice(0, there));
      out.asSlice(there).fill((byte) 0);
    }
  }

  /**
   * Returns the file that contains the piece; empty if it does not exist or the policy refuses it.
   */
  Optional<Path> file(ReferencedFiles others) {
    try {
      return others.find(name, object, PLACES).map(Found::path);
    } catch (UntrustedFileException e) {
      return Optional.empty();
    }
  }

  /** Returns the exception with which the policy refuses the file; empty if it is not refused. */
  Optional<UntrustedFileException> refusal(ReferencedFiles others) {
    try {
      var unused = others.find(name, object, PLACES);
      return Optional.empty();
    } catch (UntrustedFileException e) {
      return Optional.of(e);
    }
  }

  /**
   * Finds the file that contains the piece.
   *
   * @throws FormatException if there is no such file
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses the file
   */
  private Found find(ReferencedFiles others) {
    return others
        .find(name, object, PLACES)
        .orElseThrow(
            () -> new FormatException("external data file", "a file named " + name, "none"));
  }
}
