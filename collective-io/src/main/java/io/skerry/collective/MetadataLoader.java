package io.skerry.collective;

import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.step.UndoLog;
import io.skerry.format.block.ByteSource;
import java.io.IOException;

/**
 * Reads the metadata of a file that is being opened, or makes that of a new file.
 *
 * @param <M> the form in which the HDF5 layer keeps it
 */
@FunctionalInterface
public interface MetadataLoader<M extends MetadataSource> {
  /**
   * Loads the metadata. All ranks do so in the same step, and rank 0 reads for all; the result is
   * the same on all ranks. Local.
   *
   * @param source the bytes of the file, from its first byte
   * @param log undoes changes of later steps that fail
   */
  LoadedMetadata<M> load(ByteSource source, UndoLog log) throws IOException;
}
