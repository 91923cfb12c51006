package dev.quickwater.web;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// Media types by the extension of a file name.
///
/// Source: the file extensions in the registrations of the IANA media types registry, with RFC 9239
/// for JavaScript, RFC 7763 for Markdown, RFC 8081 for fonts and RFC 9559 for Matroska. Types with
/// `x-` are in common use where none is registered. Text is UTF-8.
final class MediaTypes {

  static final String UNKNOWN = "application/octet-stream";

  /// A line is a top-level type followed by groups `subtype=extension,...`. A group without `=` is
  /// both the subtype and the extension. `ts` is a video segment, although TypeScript uses it too.
  private static final String TABLE =
      """
      text html=html,htm css javascript=js,mjs,cjs\
       plain=txt,text,log,conf,ini,cfg,properties,diff,patch csv markdown=md,markdown\
       calendar=ics vcard=vcf,vcard tab-separated-values=tsv vtt n3 turtle=ttl troff=t,tr,roff\
       yaml=x-c=c,cc,cpp,cxx,h,hh,hpp x-java=java x-python=py x-go=go x-rust=rs x-kotlin=kt,kts\
       x-ruby=rb x-shellscript=sh,bash x-typescript=tsx x-asm=s,asm sgml=sgml,sgm\
       uri-list=uri,uris
      image png jpeg=jpg,jpeg,jpe,jfif gif webp avif apng svg+xml=svg bmp tiff=tif,tiff heic heif\
       jxl jp2=jp2,jpg2 jpx=jpx,jpf jpm ktx ktx2 cgm aces=exr vnd.microsoft.icon=ico,cur\
       vnd.adobe.photoshop=psd vnd.djvu=djvu,djv vnd.dwg=dwg vnd.dxf=dxf vnd.wap.wbmp=wbmp\
       x-portable-anymap=pnm x-portable-bitmap=pbm x-portable-graymap=pgm x-portable-pixmap=ppm\
       x-xbitmap=xbm x-xpixmap=xpm x-tga=tga emf wmf
      audio mpeg=mp3,mpga,mp2 mp4=m4a,mp4a aac=aac,adts ogg=oga,ogg,opus,spx flac wav\
       matroska=mka midi=mid,midi,kar basic=au,snd aiff=aif,aiff,aifc ac3 amr webm=weba\
       mpegurl=m3u x-ms-wma=wma
      video mp4=mp4,m4v,mpg4 mpeg=mpeg,mpg,mpe,m1v,m2v webm ogg=ogv matroska=mkv,mk3d\
       quicktime=mov,qt mp2t=ts,m2t,m2ts,mts 3gpp=3gp,3gpp 3gpp2=3g2,3gpp2 h261 h263 h264\
       x-msvideo=avi x-ms-wmv=wmv x-ms-asf=asf,asx x-flv=flv iso.segment=m4s mj2=mj2,mjp2
      font woff woff2 ttf otf collection=ttc sfnt
      model gltf+json=gltf gltf-binary=glb stl obj mtl vrml=wrl,vrml 3mf iges=igs,iges\
       step=stp,step vnd.collada+xml=dae
      message rfc822=eml,mht,mhtml
      application json=json,map manifest+json=webmanifest ld+json=jsonld geo+json=geojson\
       json-seq=jsons xml=xml,xsd,xsl,rng xslt+xml=xslt xml-dtd=dtd xhtml+xml=xhtml,xht\
       atom+xml=atom rss+xml=rss rdf+xml=rdf,owl mathml+xml=mathml,mml smil+xml=smil,smi\
       wsdl+xml=wsdl ttml+xml=ttml gml+xml=gml xop+xml=xop yaml=yaml,yml toml sql wasm pdf\
       postscript=ps,eps,ai rtf epub+zip=epub zip gzip=gz,tgz zstd=zst x-bzip2=bz2,tbz x-xz=xz\
       x-7z-compressed=7z vnd.rar=rar x-tar=tar x-lzip=lz x-brotli=br java-archive=jar,war,ear\
       x-java-class=class x-sharedlib=so x-iso9660-image=iso x-apple-diskimage=dmg\
       vnd.debian.binary-package=deb,udeb x-rpm=rpm vnd.android.package-archive=apk\
       vnd.microsoft.portable-executable=exe,dll,com x-msi=msi x-perl=pl,pm x-httpd-php=php\
       x-tex=tex,latex x-bibtex=bib x-lua=lua msword=doc,dot vnd.ms-excel=xls,xlt,xla\
       vnd.ms-powerpoint=ppt,pps,pot vnd.ms-outlook=msg vnd.ms-fontobject=eot vnd.ms-project=mpp\
       vnd.visio=vsd,vst vnd.ms-cab-compressed=cab\
       vnd.openxmlformats-officedocument.wordprocessingml.document=docx\
       vnd.openxmlformats-officedocument.wordprocessingml.template=dotx\
       vnd.openxmlformats-officedocument.spreadsheetml.sheet=xlsx\
       vnd.openxmlformats-officedocument.spreadsheetml.template=xltx\
       vnd.openxmlformats-officedocument.presentationml.presentation=pptx\
       vnd.openxmlformats-officedocument.presentationml.slideshow=ppsx\
       vnd.oasis.opendocument.text=odt vnd.oasis.opendocument.spreadsheet=ods\
       vnd.oasis.opendocument.presentation=odp vnd.oasis.opendocument.graphics=odg\
       vnd.oasis.opendocument.formula=odf vnd.oasis.opendocument.text-template=ott\
       vnd.apple.mpegurl=m3u8 vnd.apple.pages=pages vnd.apple.numbers=numbers\
       vnd.apple.keynote=key,keynote vnd.apple.installer+xml=mpkg dash+xml=mpd ogg=ogx\
       vnd.google-earth.kml+xml=kml vnd.google-earth.kmz=kmz gpx+xml=gpx vnd.geogebra.file=ggb\
       vnd.mapbox-vector-tile=mvt vnd.sqlite3=sqlite,sqlite3,db vnd.apache.parquet=parquet\
       vnd.apache.arrow.file=arrow vnd.tcpdump.pcap=pcap,cap vnd.mozilla.xul+xml=xul mbox\
       mac-binhex40=hqx pgp-encrypted=pgp,gpg pgp-signature=sig,asc pkcs7-mime=p7m,p7c\
       pkcs7-signature=p7s pkcs8=p8 pkcs10=p10,csr pkcs12=p12,pfx pkix-cert=cer,crt pkix-crl=crl\
       pem-certificate-chain=pem graphql=graphql,gql protobuf=binpb cbor msgpack=msgpack,mpk\
       n-triples=nt n-quads=nq trig sparql-query=rq sparql-results+xml=srx x-bittorrent=torrent\
       x-subrip=srt x-font-type1=pfa,pfb x-shockwave-flash=swf winhlp=hlp oxps=oxps,xps\
       ecmascript=es mathematica=nb,ma,mb oda fits=fits,fit dicom=dcm timestamp-query=tsq\
       timestamp-reply=tsr ssml+xml=ssml voicexml+xml=vxml srgs=gram metalink4+xml=meta4\
       mods+xml=mods marc=mrc hyperstudio=stk jsonml+json=jsonml x-ndjson=ndjson,jsonl
      """;

  private static final Map<String, String> TYPES = types();

  private MediaTypes() {}

  private static Map<String, String> types() {
    Map<String, String> types = new HashMap<>();
    for (String line : TABLE.split("\n", -1)) {
      String[] words = line.strip().split("\\s+", -1);
      for (int i = 1; i < words.length; i++) {
        String[] parts = words[i].split("=", -1);
        String type = words[0] + "/" + parts[0];
        String value = words[0].equals("text") ? type + "; charset=utf-8" : type;
        for (String extension : parts[parts.length - 1].split(",", -1)) {
          if (types.put(extension, value) != null) {
            throw new IllegalStateException("two types for " + extension);
          }
        }
      }
    }
    return Map.copyOf(types);
  }

  /// The type of a file; `application/octet-stream` for an unknown extension.
  static String of(String name) {
    String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return extension.length() == name.length() ? UNKNOWN : TYPES.getOrDefault(extension, UNKNOWN);
  }
}
