package io.skerry.format.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.format.Bytes;
import io.skerry.format.Interpreter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPlacement;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.HeaderUpdate;
import io.skerry.format.header.ObjectHeaderWriter;
import io.skerry.format.index.ChunkIndexes;
import io.skerry.format.index.SingleChunkIndex;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.IndexCommit;
import io.skerry.format.index.api.LeafId;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.superblock.Superblock;
import io.skerry.format.superblock.TestFile;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that both HDF5 libraries and h5dump can read files that only the classes of this module
 * wrote.
 */
class WriteFilesTest {
  @TempDir Path directory;

  private final MemoryFile file = MemoryFile.empty();
  private final SpaceAllocator allocator = SpaceAllocator.startingAt(48);
  private final List<HeaderMessage> root =
      new ArrayList<>(
          List.of(
              HeaderMessage.of(LinkInfoMessage.compact()),
              HeaderMessage.of(GroupInfoMessage.defaults())));
  private final StringBuilder script =
      new StringBuilder(
          """
          import sys, h5py, numpy as np
          f = h5py.File(sys.argv[1])
          def check(name, shape, chunk):
              d = f[name]
              assert d.shape == shape and d.chunks == chunk, (d.shape, d.chunks)
              assert d.fillvalue == 9
              n = np.zeros(shape, dtype='i8')
              for axis, (size, c, k) in enumerate(zip(shape, chunk, (3, 5, 11))):
                  n = n + (np.arange(size) // c * k).reshape([-1 if a == axis else 1 for a in range(len(shape))])
              want = np.where(n % 4 == 1, 9, (7 + n) % 251).astype('u1')
              got = d[...]
              assert np.array_equal(got, want), (name, np.argwhere(got != want)[:5])
          """);

  @BeforeAll
  static void needs_h5py() {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
  }

  /** Returns the datatype of 8-bit unsigned integers. */
  private static DatatypeMessage u1() {
    return new DatatypeMessage(bytes("1000000001000000" + "00000800"));
  }

  private static Bytes bytes(String hex) {
    return Bytes.of(MemorySegment.ofArray(HexFormat.of().parseHex(hex)));
  }

  private HeaderPlacement header(List<HeaderMessage> messages, int slack) {
    ObjectHeaderWriter writer = new ObjectHeaderWriter(HeaderPrefix.plain(), Widths.EIGHT);
    HeaderPlacement place = writer.reserve(messages, slack, allocator);
    return rewrite(messages, place);
  }

  private HeaderPlacement rewrite(List<HeaderMessage> messages, HeaderPlacement place) {
    ObjectHeaderWriter writer = new ObjectHeaderWriter(HeaderPrefix.plain(), Widths.EIGHT);
    HeaderUpdate update = writer.write(messages, place, allocator);
    update.blocks().forEach(file::write);
    return update.placement();
  }

  private void link(String name, long address) {
    root.add(HeaderMessage.of(LinkMessage.of(name, new LinkTarget.Hard(address))));
  }

  /** Writes the chunks that the script expects, in several commits. */
  private void dataset(String name, Shape shape, Shape chunk, Filtering filtering) {
    FilterPipeline pipeline =
        filtering == Filtering.FILTERED
            ? FilterPipeline.of(FilterSpec.of(1, FilterSpec.Flag.OPTIONAL, 6))
            : FilterPipeline.none();
    ChunkedLayout layout = ChunkedLayout.dense(shape, chunk, 1, filtering);
    List<HeaderMessage> messages = new ArrayList<>();
    for (Message message :
        List.of(
            DataspaceMessage.of(shape),
            u1(),
            FillValueMessage.of(bytes("09")),
            new FilterPipelineMessage(pipeline),
            layout)) {
      if (!(message instanceof FilterPipelineMessage p) || !p.pipeline().isEmpty()) {
        messages.add(HeaderMessage.of(message));
      }
    }
    HeaderPlacement place = header(messages, 0);
    LinearIndex index = (LinearIndex) ChunkIndexes.create(layout, shape, filtering, Widths.EIGHT);
    long[] grid = new long[shape.rank()];
    long count = 1;
    for (int i = 0; i < grid.length; i++) {
      grid[i] = (shape.extent(i) + chunk.extent(i) - 1) / chunk.extent(i);
      count *= grid[i];
    }
    Map<Long, ChunkRecord> batch = new TreeMap<>();
    for (long n = 0; n < count; n++) {
      long[] scaled = new long[grid.length];
      long rest = n;
      for (int i = grid.length - 1; i >= 0; i--) {
        scaled[i] = rest % grid[i];
        rest /= grid[i];
      }
      chunk(scaled, chunk, pipeline, filtering)
          .ifPresent(record -> batch.put(position(grid, scaled), record));
      if (n == count - 1 || n == count / 3 || n == count / 2) {
        index = commit(index, grid, batch);
        batch.clear();
      }
    }
    messages.set(messages.size() - 1, HeaderMessage.of(index.layout()));
    rewrite(messages, place);
    link(name, place.first().address());
    script.append("check('%s', %s, %s)\n".formatted(name, tuple(shape), tuple(chunk)));
  }

  private static long position(long[] grid, long[] scaled) {
    long position = 0;
    for (int i = 0; i < grid.length; i++) {
      position = position * grid[i] + scaled[i];
    }
    return position;
  }

  private static String tuple(Shape shape) {
    StringBuilder text = new StringBuilder("(");
    for (long size : shape.extent()) {
      text.append(size).append(',');
    }
    return text.append(')').toString();
  }

  private Optional<ChunkRecord> chunk(
      long[] scaled, Shape chunk, FilterPipeline pipeline, Filtering filtering) {
    long n = 0;
    for (int i = 0; i < scaled.length; i++) {
      n += scaled[i] * new int[] {3, 5, 11}[i];
    }
    if (n % 4 == 1) {
      return Optional.empty();
    }
    byte[] plain = new byte[(int) chunk.elements()];
    Arrays.fill(plain, (byte) ((7 + n) % 251));
    FilterPipeline.Encoded stored = pipeline.apply(MemorySegment.ofArray(plain));
    long address = allocator.allocate(stored.bytes().byteSize());
    file.write(address, stored.bytes());
    long size = stored.bytes().byteSize();
    return Optional.of(
        new ChunkRecord(
            address,
            filtering == Filtering.FILTERED
                ? SectionTable.filtered(size, stored.mask())
                : SectionTable.plain(size)));
  }

  private LinearIndex commit(LinearIndex index, long[] grid, Map<Long, ChunkRecord> batch) {
    if (index instanceof SingleChunkIndex single) {
      return batch.isEmpty() ? single : single.withRecord(Optional.of(batch.get(0L)));
    }
    Map<LeafId, List<Optional<ChunkRecord>>> leaves = new TreeMap<>();
    long top = 0;
    for (Map.Entry<Long, ChunkRecord> entry : batch.entrySet()) {
      long[] scaled = new long[grid.length];
      long rest = entry.getKey();
      for (int i = grid.length - 1; i >= 0; i--) {
        scaled[i] = rest % grid[i];
        rest /= grid[i];
      }
      long position = index.position(scaled);
      leaves
          .computeIfAbsent(index.leafOf(position), l -> load(index, l))
          .set(index.slot(position), Optional.of(entry.getValue()));
      top = Math.max(top, position + 1);
    }
    IndexCommit commit = index.commit(new TreeSet<>(leaves.keySet()), top, allocator);
    commit
        .leaves()
        .forEach((leaf, block) ->
            file.write(
                block.address(),
                commit
                    .index()
                    .encodeLeaf(leaf, leaves.computeIfAbsent(leaf, l -> load(index, l)))));
    commit.spine().forEach(file::write);
    return commit.index();
  }

  private List<Optional<ChunkRecord>> load(LinearIndex index, LeafId leaf) {
    return new ArrayList<>(
        index
            .stored(leaf)
            .map(block -> index.decodeLeaf(leaf, file.read(block.address(), block.length())))
            .orElseGet(() -> Collections.nCopies(index.slots(leaf), Optional.empty())));
  }

  private Path finish(String name) {
    HeaderPlacement place = header(root, 0);
    file.grow(allocator.endOfFile());
    ByteWriter out = ByteWriter.create();
    Superblock.of(allocator.endOfFile(), place.first().address()).encode(out);
    file.write(0, out.written());
    Path path = directory.resolve(name);
    file.save(path);
    return path;
  }

  private void readByAll(Path path) throws IOException {
    for (Interpreter python : Interpreter.all()) {
      assertEquals(
          "read\n", python.run(directory, script + "print('read')\n", path), python.toString());
    }
  }

  @Test
  void datasets_of_every_array_index_are_readable_by_both_libraries() throws IOException {
    for (Filtering filtering : Filtering.values()) {
      dataset("single" + filtering, Shape.of(5, 6), Shape.of(5, 6), filtering);
      dataset("fixed" + filtering, Shape.of(25, 31), Shape.of(4, 8), filtering);
      dataset("growing" + filtering, Shape.of(700, 9).unlimited(0), Shape.of(3, 4), filtering);
      dataset("later" + filtering, Shape.of(7, 6, 90).unlimited(2), Shape.of(2, 3, 4), filtering);
      dataset(
          "room" + filtering,
          Shape.of(new long[] {20, 30}, new long[] {50, 31}),
          Shape.of(4, 7),
          filtering);
      dataset("paged" + filtering, Shape.of(3000), Shape.of(1), filtering);
    }
    Path path = finish("all.h5");
    readByAll(path);
    String dumped = Interpreter.call(List.of("h5dump", "-p", "-H", path.toString()));
    assertEquals(12, dumped.split("DATASET \"", -1).length - 1);
    Interpreter.call(List.of("h5dump", path.toString()));
    Interpreter.call(List.of("h5ls", "-r", "-v", path.toString()));
  }

  @Test
  void a_hundred_and_fifty_thousand_chunks_are_read_by_both_libraries() throws IOException {
    dataset("large", Shape.of(150000).unlimited(0), Shape.of(1), Filtering.UNFILTERED);
    // A fixed array of more than 1024 chunks is stored in pages, which are all alike.
    long fixed = Boolean.getBoolean("skerry.thorough") ? 150_000 : 20_000;
    dataset("fixed", Shape.of(fixed), Shape.of(1), Filtering.FILTERED);
    readByAll(finish("large.h5"));
  }

  @Test
  void written_files_can_be_changed_by_the_libraries_and_read_again() throws IOException {
    dataset("d", Shape.of(3000, 9).unlimited(0), Shape.of(3, 4), Filtering.FILTERED);
    Path path = finish("shared.h5");
    for (Interpreter python : Interpreter.all()) {
      python.run(
          directory,
          """
          import sys, h5py, numpy as np
          f = h5py.File(sys.argv[1], 'r+', libver='v110')
          d = f['d']
          rows = d.shape[0]
          d.resize(rows + 3000, axis=0)
          d[rows:] = 77
          d[0:3] = 78
          d.attrs['by'] = h5py.version.hdf5_version
          f.create_group('of' + h5py.version.hdf5_version)['x'] = np.arange(5)
          f.close()
          """,
          path);
      TestFile opened = TestFile.open(path);
      LinearIndex index = (LinearIndex) opened.index(opened.object("d"));
      int[] present = {0};
      index.forEachRecord(opened.source(), (at, record) -> present[0]++);
      String counted =
          python.run(
              directory,
              "import sys, h5py\nprint(h5py.File(sys.argv[1])['d'].id.get_num_chunks())",
              path);
      assertEquals(Integer.parseInt(counted.strip()), present[0]);
    }
  }

  @Test
  void many_attributes_and_links_go_to_continuations_that_the_libraries_follow()
      throws IOException {
    List<HeaderMessage> messages = new ArrayList<>(root);
    HeaderPlacement place = header(messages, 60);
    for (int i = 0; i < 40; i++) {
      AttributeMessage attribute =
          AttributeMessage.of(
              "attribute " + i,
              u1(),
              DataspaceMessage.of(Shape.of(i)),
              Bytes.of(MemorySegment.ofArray(new byte[i])));
      messages.add(HeaderMessage.of(attribute));
      place = rewrite(messages, place);
      allocator.commitFrees();
    }
    assertEquals(1, place.continuations().size());
    link("group", place.first().address());
    root.add(HeaderMessage.of(LinkMessage.of("weich", new LinkTarget.Soft("/group"))));
    root.add(HeaderMessage.of(LinkMessage.of("äußerlich", new LinkTarget.External("o.h5", "/x"))));
    script.append(
        """
        g = f['weich']
        assert sorted(g.attrs) == sorted('attribute %d' % i for i in range(40)), list(g.attrs)
        assert all(g.attrs['attribute %d' % i].shape == (i,) for i in range(40))
        l = f.get('äußerlich', getlink=True)
        assert l.filename == 'o.h5' and l.path == '/x'
        """);
    Path path = finish("attributes.h5");
    readByAll(path);
    Interpreter.call(List.of("h5dump", "-A", "-g", "/group", path.toString()));
    byte[] first = file.read(place.first().address(), 4).toArray(ValueLayout.JAVA_BYTE);
    assertEquals("4f484452", HexFormat.of().formatHex(first));
  }
}
