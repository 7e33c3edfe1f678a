package io.skerry.format.superblock;

import io.skerry.format.block.ByteSource;
import io.skerry.format.block.MemoryFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.ChunkIndexes;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import java.nio.file.Path;

/** An HDF5 file opened by the classes of this module only. */
public record TestFile(Superblock superblock, ByteSource source) {
  public static TestFile open(Path path) {
    return open(MemoryFile.load(path));
  }

  public static TestFile open(MemoryFile raw) {
    Superblock superblock = Superblock.find(raw);
    return new TestFile(superblock, raw.from(superblock.baseAddress()));
  }

  public ObjectHeader root() {
    return header(superblock.rootAddress());
  }

  public ObjectHeader header(long address) {
    return ObjectHeader.read(source, superblock.widths(), address);
  }

  /** Returns the object at a path of hard links. */
  public ObjectHeader object(String path) {
    ObjectHeader at = root();
    for (String name : path.split("/")) {
      if (!name.isEmpty()) {
        at = header(child(at, name));
      }
    }
    return at;
  }

  private static long child(ObjectHeader group, String name) {
    return group.all(LinkMessage.class).stream()
        .filter(link -> link.name().equals(name))
        .map(link -> ((LinkTarget.Hard) link.target()).address())
        .findFirst()
        .orElseThrow();
  }

  public ChunkIndex index(ObjectHeader dataset) {
    ChunkedLayout layout = (ChunkedLayout) dataset.require(LayoutMessage.class);
    return ChunkIndexes.open(
        layout,
        dataset.require(DataspaceMessage.class).shape(),
        filtering(dataset),
        superblock.widths(),
        source);
  }

  private static Filtering filtering(ObjectHeader dataset) {
    boolean dense =
        dataset.find(FilterPipelineMessage.class).filter(m -> !m.pipeline().isEmpty()).isPresent();
    boolean sections =
        dataset
            .find(SectionPipelineMessage.class)
            .filter(m -> m.pipelines().isFiltered())
            .isPresent();
    return dense || sections ? Filtering.FILTERED : Filtering.UNFILTERED;
  }
}
