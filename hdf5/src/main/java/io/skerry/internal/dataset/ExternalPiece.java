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
 * A stretch of another file that holds some of a dataset's elements.
 *
 * @param object path of the dataset
 * @param name the file, as the dataset names it
 * @param offset first byte in that file
 * @param size bytes; {@link Long#MAX_VALUE} if it goes on for ever
 */
public record ExternalPiece(String object, String name, long offset, long size) {
  private static final List<Place> PLACES = List.of(Place.BESIDE, Place.WORKING_FOLDER);

  /**
   * Reads part of the piece. Where the file ends before the piece does, the rest is zeros, as HDF5
   * reads it.
   *
   * @param start first byte within the piece
   * @param others the files that the HDF5 file names: relative names are looked up beside it, then
   *     in the working directory
   * @throws FormatException if there is no such file
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses it
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

  /** The file with the piece, if there is one that the policy does not refuse. */
  Optional<Path> file(ReferencedFiles others) {
    try {
      return others.find(name, object, PLACES).map(Found::path);
    } catch (UntrustedFileException e) {
      return Optional.empty();
    }
  }

  /** The refusal of the file with the piece, if it is refused. */
  Optional<UntrustedFileException> refusal(ReferencedFiles others) {
    try {
      var unused = others.find(name, object, PLACES);
      return Optional.empty();
    } catch (UntrustedFileException e) {
      return Optional.of(e);
    }
  }

  /**
   * The file with the piece.
   *
   * @throws FormatException if there is no such file
   * @throws io.skerry.parallel.UntrustedFileException if the policy refuses it
   */
  private Found find(ReferencedFiles others) {
    return others
        .find(name, object, PLACES)
        .orElseThrow(
            () -> new FormatException("external data file", "a file named " + name, "none"));
  }
}
