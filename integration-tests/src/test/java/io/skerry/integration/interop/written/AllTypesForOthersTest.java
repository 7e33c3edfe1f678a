package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Enumeration;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Reference;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.format.Bytes;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes values of every type to datasets of every layout and to attributes for h5py to read. */
class AllTypesForOthersTest {
  private static final int ROWS = 42;

  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);

  @TempDir Path folder;

  private static Value whole(long value) {
    return new Value.Whole(BigInteger.valueOf(value));
  }

  private static Value.Real real(double value) {
    return new Value.Real(value, 53);
  }

  private static Compound compound(Object... namesAndTypes) {
    List<Compound.Member> members = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      Datatype type = (Datatype) namesAndTypes[i + 1];
      members.add(new Compound.Member((String) namesAndTypes[i], at, type));
      at += type.size();
    }
    return new Compound(at, members);
  }

  private static Map<String, Datatype> types() {
    Map<String, Datatype> types = new TreeMap<>();
    types.put("fixed", StringType.of(8));
    types.put("text", TEXT);
    types.put("sequence", VariableLength.sequence(Datatype.I32));
    types.put("texts", VariableLength.sequence(TEXT));
    types.put("compound", compound("x", Datatype.I32, "name", TEXT, "y", Datatype.F64));
    types.put("complex", compound("r", Datatype.F32, "i", Datatype.F32));
    types.put(
        "bool",
        new Enumeration(
            Datatype.I8,
            List.of(new Enumeration.Member("FALSE", 0), new Enumeration.Member("TRUE", 1))));
    types.put("array", new ArrayType(List.of(2, 3), Datatype.U16));
    types.put("opaque", new Opaque(3, ""));
    types.put("bits", BitField.of(2, Endian.LITTLE));
    types.put("object", new Reference(8, Reference.Kind.OBJECT));
    types.put("region", new Reference(12, Reference.Kind.REGION));
    return types;
  }

  private static Value value(H5File file, String kind, int i) {
    return switch (kind) {
      case "fixed" -> new Value.Text("é" + i);
      case "text" -> new Value.Text("ü".repeat(i * 40) + i);
      case "sequence" -> {
        List<Value> members = new ArrayList<>();
        for (int k = 0; k < i % 5 * 300; k++) {
          members.add(whole(i * k - 7));
        }
        yield new Value.Sequence(members);
      }
      case "texts" ->
          new Value.Sequence(List.of(new Value.Text("a" + i), new Value.Text("b".repeat(i))));
      case "compound" ->
          new Value.Compound(
              List.of(
                  new Value.Field("x", whole(-i)),
                  new Value.Field("name", new Value.Text("n" + i)),
                  new Value.Field("y", real(i / 2.0))));
      case "complex" -> new Value.Complex(real(i), real(-0.5));
      case "bool" -> new Value.Enumerated(i % 2, Optional.of(i % 2 == 1 ? "TRUE" : "FALSE"));
      case "array" -> {
        List<Value> members = new ArrayList<>();
        for (int k = 0; k < 6; k++) {
          members.add(whole(10L * i + k));
        }
        yield new Value.Array(List.of(2, 3), members);
      }
      case "opaque" ->
          new Value.Opaque(Bytes.of(MemorySegment.ofArray(new byte[] {1, 2, (byte) i})), "");
      case "bits" -> new Value.Bits(BigInteger.valueOf(0x8000 + i), 2);
      case "object" -> i % 3 == 0 ? new Value.NullReference() : file.reference("/target");
      case "region" ->
          i % 3 == 0
              ? new Value.NullReference()
              : file.reference("/target", Selection.at(i % 4).extent(3));
      default -> throw new IllegalStateException(kind);
    };
  }

  private static void write(H5File file, int rank, int ranks) {
    file.createDataset("/target", DatasetSpec.of(Datatype.I32, Shape.of(10)))
        .write(Selection.all(), new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    Group attributes = file.createGroup("/attributes");
    int from = ROWS * rank / ranks;
    int to = ROWS * (rank + 1) / ranks;
    types()
        .forEach((kind, type) -> {
          Shape shape = Shape.of(ROWS);
          for (String layout : List.of("contiguous", "compact", "chunked", "filtered")) {
            DatasetSpec spec = DatasetSpec.of(type, shape);
            spec =
                switch (layout) {
                  case "contiguous" -> spec.contiguous();
                  case "compact" -> spec.compact();
                  case "chunked" -> spec.chunked(5);
                  default -> spec.chunked(5).filters(Filters.shuffle(), Filters.deflate(4));
                };
            Dataset dataset = file.createDataset("/" + layout + "/" + kind, spec);
            List<Value> mine = new ArrayList<>();
            for (int i = from; i < to; i++) {
              mine.add(value(file, kind, i));
            }
            dataset.writeValues(
                from < to ? Selection.at(from).extent(to - from) : Selection.none(), mine);
          }
          List<Value> few = new ArrayList<>();
          for (int i = 0; i < 6; i++) {
            few.add(value(file, kind, i));
          }
          attributes.setAttribute(kind, type, Shape.of(2, 3), few);
        });
    file.createDataset("/strings", DatasetSpec.of(TEXT, Shape.of(3)))
        .write(
            rank == 0 ? Selection.all() : Selection.none(),
            rank == 0 ? new String[] {"one", "", "drei"} : new String[0]);
  }

  private static final String EXPECTED =
      """
      def value(kind, i):
          if kind == 'fixed': return ('é%d' % i).encode()
          if kind == 'text': return 'ü' * (40 * i) + str(i)
          if kind == 'sequence': return [i * k - 7 for k in range(i % 5 * 300)]
          if kind == 'texts': return ['a%d' % i, 'b' * i]
          if kind == 'compound': return (-i, 'n%d' % i, i / 2)
          if kind == 'complex': return complex(i, -0.5)
          if kind == 'bool': return i % 2 == 1
          if kind == 'array': return [[10*i, 10*i+1, 10*i+2], [10*i+3, 10*i+4, 10*i+5]]
          if kind == 'opaque': return bytes([1, 2, i])
          if kind == 'bits': return 0x8000 + i
          if kind == 'object': return None if i % 3 == 0 else '/target'
          if kind == 'region': return None if i % 3 == 0 else list(range(i % 4, i % 4 + 3))
      def text(x): return x.decode() if isinstance(x, bytes) else x
      def seen(kind, x):
          if kind == 'fixed': return bytes(x)
          if kind == 'text': return text(x)
          if kind == 'sequence': return [int(v) for v in x]
          if kind == 'texts': return [text(v) for v in x]
          if kind == 'compound': return (int(x[0]), text(x[1]), float(x[2]))
          if kind == 'complex': return complex(x)
          if kind == 'bool': return bool(x)
          if kind == 'array': return x.tolist()
          if kind == 'opaque': return bytes(x)
          if kind == 'bits': return int(x)
          if kind == 'object': return f[x].name if x else None
          if kind == 'region': return f['target'][x].tolist() if x else None
      kinds = ['fixed', 'text', 'sequence', 'texts', 'compound', 'complex', 'bool', 'array',
               'opaque', 'bits', 'object', 'region']
      for kind in kinds:
          for layout in ['contiguous', 'compact', 'chunked', 'filtered']:
              try: a = f[layout][kind][()]
              except (TypeError, OSError) as e:
                  if kind in ('bits', 'texts'): continue
                  raise ValueError(layout + ' ' + kind) from e
              for i in range(len(a)):
                  assert seen(kind, a[i]) == value(kind, i), (layout, kind, i, seen(kind, a[i]))
      """;

  @ParameterizedTest
  @CsvSource({"1,V110", "3,V110", "1,EARLIEST", "3,EARLIEST", "3,V200"})
  void h5py_reads_values_of_every_type(int ranks, FormatBounds bounds) {
    Path path = folder.resolve("types" + ranks + bounds + ".h5");
    LocalRanks.run(
        ranks,
        world -> {
          FileOptions options = FileOptions.standard().withBounds(bounds);
          try (H5File file = H5File.create(path, world, options)) {
            write(file, world.rank(), ranks);
          }
        });
    try (H5File file = H5File.open(path)) {
      types()
          .forEach((kind, type) -> {
            for (String layout : List.of("contiguous", "compact", "chunked", "filtered")) {
              List<Value> read =
                  file.dataset("/" + layout + "/" + kind).readValues(Selection.all());
              for (int i = 0; i < ROWS; i++) {
                String expected =
                    kind.equals("complex")
                        ? "{r: " + (double) i + ", i: -0.5}"
                        : value(file, kind, i).toString();
                assertEquals(expected, read.get(i).toString(), layout + kind + i);
              }
            }
          });
      assertEquals(
          List.of("one", "", "drei"), file.dataset("/strings").readStrings(Selection.all()));
    }
    H5pyChecks.reads(
        folder,
        path,
        bounds,
        EXPECTED
            + """
            same([text(x) for x in f['strings'][()]], ['one', '', 'drei'])
            a = f['attributes'].attrs
            for kind in ['text', 'sequence', 'compound', 'complex', 'bool', 'opaque', 'object']:
                got = a[kind].reshape(6) if kind != 'sequence' else a[kind].ravel()
                for i in range(6): assert seen(kind, got[i]) == value(kind, i), (kind, i, got[i])
            """);
    for (Oracle h5py : H5pyChecks.oracles(bounds)) {
      H5pyChecks.changes(
          h5py,
          folder,
          path,
          """
          f['chunked/text'][3] = 'changed by h5py'; f['contiguous/sequence'][4] = [1, 2, 3]
          f['attributes'].attrs['new' + h5py.version.hdf5_version] = ['a', 'bc']
          """);
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.openForWriting(path, world)) {
              Dataset texts = file.dataset("/chunked/text");
              assertEquals(
                  List.of("changed by h5py"), texts.readStrings(Selection.at(3).extent(1)));
              assertEquals(
                  "[(1, 2, 3)]",
                  file.dataset("/contiguous/sequence").readValues(Selection.at(4)).toString());
              texts.writeValues(Selection.at(3), List.of(value(file, "text", 3)));
              file.dataset("/contiguous/sequence")
                  .writeValues(Selection.at(4), List.of(value(file, "sequence", 4)));
            }
          });
    }
    H5pyChecks.reads(folder, path, bounds, EXPECTED);
  }

  @Test
  void values_that_do_not_fit_are_refused_on_all_ranks_and_nothing_is_lost() {
    Path path = folder.resolve("refused.h5");
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Dataset texts = file.createDataset("/t", DatasetSpec.of(StringType.of(3), Shape.of(2)));
            texts.write(Selection.at(world.rank()), new String[] {"ab" + world.rank()});
            assertThrows(
                CollectiveException.class,
                () ->
                    texts.write(
                        Selection.at(world.rank()),
                        new String[] {world.rank() == 1 ? "too long" : "ok"}));
            assertThrows(
                CollectiveException.class,
                () -> texts.writeValues(Selection.at(world.rank()), List.of(whole(1))));
            assertThrows(
                CollectiveException.class,
                () -> file.root().setAttribute("a", Datatype.U8, Shape.of(1), List.of(whole(256))));
            assertEquals(List.of("ab0", "ab1"), texts.readStrings(Selection.all()));
          }
        });
    assertArrayEquals(new byte[] {'a', 'b', '0'}, bytes(path));
  }

  private static byte[] bytes(Path path) {
    try (H5File file = H5File.open(path, Communicator.self())) {
      return file.dataset("/t").readBytes(Selection.at(0));
    }
  }
}
