package io.skerry.internal.tree;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.Widths;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.superblock.EarlyFields;
import io.skerry.format.superblock.Superblock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The metadata of one file as a flush writes it: the superblock, and the objects that changed. */
public final class FlushedMetadata implements MetadataSource {
  private final ObjectTree tree;
  private final FormatFile format;

  /** The headers with the locations that they will have if the current flush succeeds. */
  private final List<ObjectHeader> rendered = new ArrayList<>();

  public FlushedMetadata(ObjectTree tree) {
    this.tree = tree;
    this.format = tree.format();
  }

  public ObjectTree tree() {
    return tree;
  }

  @Override
  public Widths widths() {
    return format.widths();
  }

  @Override
  public boolean isDirty() {
    return !tree.headers().dirty().isEmpty() || tree.tables().isDirty();
  }

  @Override
  public List<BlockImage> changedBlocks(Map<Long, ChunkIndex> indexes, SpaceAllocator space) {
    new TreeMap<>(indexes)
        .forEach((id, index) -> {
          LayoutMessage old = tree.header(id).find(LayoutMessage.class).orElseThrow();
          if (!old.equals(index.layout())) {
            tree.replace(id, index.layout());
          }
        });
    List<BlockImage> blocks = new ArrayList<>();
    HeaderRendering headers = new HeaderRendering(tree, space, blocks);
    for (ObjectHeader changed : tree.headers().dirty()) {
      rendered.add(headers.render(changed));
    }
    tree.tables().render(space, blocks);
    WriteChecks.checkReach(format, space.endOfFile());
    return blocks;
  }

  @Override
  public BlockImage superblock(long endOfFile) {
    ByteWriter bytes = ByteWriter.create();
    Superblock superblock = format.superblock().withEndOfFile(endOfFile);
    Optional<EarlyFields> early = superblock.early();
    if (early.isPresent()) {
      long name = early.get().root().nameOffset();
      ObjectHeader root = tree.header(tree.rootAddress());
      superblock = superblock.withRoot(SymbolTables.rootEntry(root, name));
    }
    superblock.encode(bytes);
    return new BlockImage(0, BlockKind.SUPERBLOCK, bytes.written());
  }

  @Override
  public void released(ChunkedDataset dataset) {
    tree.datasets().released(dataset);
  }

  @Override
  public void committed() {
    tree.headers().committed(rendered);
    rendered.clear();
    tree.denseLinks().clear();
    tree.denseAttributes().clear();
    tree.tables().committed();
  }

  @Override
  public void rolledBack() {
    rendered.clear();
    tree.tables().rolledBack();
  }
}
