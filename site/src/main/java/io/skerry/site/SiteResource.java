package io.skerry.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;

/** Reads templates and style sheets, which are resources of this package. */
final class SiteResource {
  private SiteResource() {}

  /**
   * Returns the text of a resource.
   *
   * @throws IllegalStateException if there is no such resource
   */
  static String text(String name) throws IOException {
    try (var in = SiteResource.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("resource missing: name=" + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
