package io.skerry.iod.encoding.property;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.iod.encoding.Encoding;
import io.skerry.iod.encoding.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with the encodings of two versions of the library in the shared folder. */
class SharedEncodingsTest {
  @ParameterizedTest
  @ValueSource(strings = {"1.10.8", "1.14.3"})
  void each_sample_is_decoded_and_encoded_to_the_same_bytes(String version) throws IOException {
    Optional<Path> file = SharedData.find("encodings/hdf5-" + version + ".tsv");
    assumeTrue(file.isPresent(), "skipped: no shared encodings of HDF5 " + version);
    List<Encoding> samples = new ArrayList<>();
    for (String line : Files.readAllLines(file.get())) {
      // The library refused to encode some dataspaces for its early versions.
      if (!line.startsWith("#") && !line.contains("\tERR\t")) {
        samples.add(Encoding.parse(line));
      }
    }
    samples.forEach(RoundTrip::check);
    System.out.println("HDF5 " + version + ": " + samples.size() + " samples");
    assertTrue(samples.size() > 90, "samples=" + samples.size());
  }
}
